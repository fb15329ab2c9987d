import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { systemClock } from '../clock/index.ts'
import type { TlsConfig } from '../config/index.ts'

/**
 * Reads the certificate files and verifies that they belong together: files may be incomplete, or only some of them
 * replaced.
 * @throws Error whose message names the invalid setting
 */
export function readTlsFiles({ certFile, keyFile, caFile }: TlsConfig): TlsFiles {
  const cert = read('GRPC_TLS_CERT_FILE', certFile)
  const key = read('GRPC_TLS_KEY_FILE', keyFile)
  const ca = read('GRPC_TLS_CA_FILE', caFile)
  const chain = certificatesIn('GRPC_TLS_CERT_FILE', cert)
  const authorities = certificatesIn('GRPC_TLS_CA_FILE', ca)
  const [own] = chain
  if (!own) throw new Error('GRPC_TLS_CERT_FILE contains no certificate')
  if (!own.checkPrivateKey(privateKey(key))) throw new Error('GRPC_TLS_KEY_FILE is not the key of GRPC_TLS_CERT_FILE')
  if (!chain.some((one) => authorities.some((authority) => isIssuedBy(one, authority)))) {
    throw new Error('GRPC_TLS_CERT_FILE was not issued by a CA in GRPC_TLS_CA_FILE')
  }
  const notAfter = new Date(own.validTo)
  if (notAfter < systemClock.now()) throw new Error('GRPC_TLS_CERT_FILE has expired')
  try {
    createSecureContext({ cert, key, ca })
  } catch {
    throw new Error('GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE and GRPC_TLS_CA_FILE cannot be used together')
  }
  return { cert, key, ca, serialNumber: own.serialNumber, notBefore: new Date(own.validFrom), notAfter }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Error(`${setting} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error })
  }
}

function certificatesIn(setting: string, pem: Buffer): X509Certificate[] {
  const text = pem.toString('latin1')
  const blocks = text.match(certificateBlock) ?? []
  if (blocks.length === 0) throw new Error(`${setting} contains no certificate`)
  try {
    if (text.replaceAll(certificateBlock, '').includes('---')) throw new Error('a block is incomplete')
    return blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new Error(`${setting} contains an invalid certificate`, { cause: error })
  }
}

/** Requires each marker on a separate line: OpenSSL silently ignores a block that starts on the line where another ends. */
const certificateBlock = /^-----BEGIN CERTIFICATE-----\r?\n[^-]+^-----END CERTIFICATE-----\r?$/gm

function privateKey(pem: Buffer): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(pem)
  } catch {
    // Without `cause`, which may quote the key.
    throw new Error('GRPC_TLS_KEY_FILE contains no private key')
  }
}

function isIssuedBy(one: X509Certificate, authority: X509Certificate): boolean {
  return one.checkIssued(authority) && one.verify(authority.publicKey)
}

/** Certificate files that belong together, in PEM. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
  ca: Buffer
  /** Serial number of the process's certificate, in hexadecimal. */
  serialNumber: string
  notBefore: Date
  notAfter: Date
}
