import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** Creates a certificate authority for a test. */
export async function createAuthority(name = 'test'): Promise<Authority> {
  const keys = await newKeys()
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    ...lifetime(),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  return {
    ca: pem(own),
    async issue(names, hours = 1) {
      const leafKeys = await newKeys()
      const leaf = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: own.subject,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        ...lifetime(hours),
        extensions: [
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
          new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))),
        ],
      })
      const key = await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey)
      return { cert: pem(leaf), key: x509.PemConverter.encode(key, 'PRIVATE KEY'), ca: pem(own) }
    },
  }
}

export interface Authority {
  /** The certificate of the CA, in PEM. */
  ca: string
  /**
   * Issues a certificate for servers and clients that trusts this CA.
   * @param names DNS names or addresses; the first is also the common name
   * @param hours validity from now; negative for an expired certificate
   */
  issue(names: readonly [string, ...string[]], hours?: number): Promise<Certificate>
}

/** The files of a process, in PEM. */
export interface Certificate {
  cert: string
  key: string
  ca: string
}

/** Ends with a newline, so that certificates can be concatenated. */
function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

function lifetime(hours = 24) {
  const now = Date.now()
  return {
    notBefore: new Date(now - 24 * hourMs),
    notAfter: new Date(now + hours * hourMs),
    signingAlgorithm: algorithm,
  }
}

const hourMs = 3_600_000
