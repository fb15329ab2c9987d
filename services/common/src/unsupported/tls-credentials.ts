/*
 * grpc-js documents no way to replace the certificates of a running server or channel. This file uses what version 1.14.7
 * exports for it: the protected parts of `ServerCredentials`, and the provider in `grpc.experimental`. Its test fails with any
 * other version; check this file against that version, run the tests of `grpc/tls` and `test/faults/tls`, then change the number.
 */
import type { SecureContextOptions } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import type { TlsFiles, TlsIdentity } from '../identity/index.ts'

/**
 * Credentials of a server with mutual TLS. New connections use reloaded files; old ones end at their maximum age.
 */
export function serverCredentials(identity: TlsIdentity): grpc.ServerCredentials {
  return new ReloadingServerCredentials(identity)
}

/**
 * Credentials of a client with mutual TLS; the server's certificate must match the host in its address. The files come
 * from `TlsIdentity`, since the file provider of grpc-js also loads broken or half-replaced files.
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
  function add(listener: unknown, notify: (files: TlsFiles) => void): void {
    stops.set(listener, identity.onChange(notify))
    notify(identity.current)
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
