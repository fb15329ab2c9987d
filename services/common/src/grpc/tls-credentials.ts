import type { SecureContextOptions } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import type { TlsFiles, TlsIdentity } from '../tls/index.ts'

/** A server that shows its certificate and wants one of every caller. New connections take new files, old ones age. */
export function serverCredentials(identity: TlsIdentity): grpc.ServerCredentials {
  return new ReloadingServerCredentials(identity)
}

/**
 * A caller that shows its certificate, and wants one of the server that holds for the host in the server's address.
 * The library's own provider of files takes what it finds, broken or half new, so the files come from ours.
 */
export function channelCredentials(identity: TlsIdentity): grpc.ChannelCredentials {
  const provider = asProvider(identity)
  return grpc.experimental.createCertificateProviderChannelCredentials(provider, provider)
}

class ReloadingServerCredentials extends grpc.ServerCredentials {
  constructor(identity: TlsIdentity) {
    super({ requestCert: true, rejectUnauthorized: true }, contextOf(identity.current))
    identity.onChange((files) => this.updateSecureContextOptions(contextOf(files)))
  }

  override _equals(other: grpc.ServerCredentials): boolean {
    return this === other
  }
}

function contextOf({ cert, key, ca }: TlsFiles): SecureContextOptions {
  return { cert, key, ca, minVersion: 'TLSv1.3' }
}

function asProvider(identity: TlsIdentity): grpc.experimental.CertificateProvider {
  const stops = new Map<unknown, () => void>()
  function add(listener: unknown, tell: (files: TlsFiles) => void): void {
    stops.set(listener, identity.onChange(tell))
    tell(identity.current)
  }
  function remove(listener: unknown): void {
    stops.get(listener)?.()
    stops.delete(listener)
  }
  return {
    addCaCertificateListener: (listener) => add(listener, ({ ca }) => listener({ caCertificate: ca })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) =>
      add(listener, ({ cert, key }) => listener({ certificate: cert, privateKey: key })),
    removeIdentityCertificateListener: remove,
  }
}
