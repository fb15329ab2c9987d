import type { PeerCertificate } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import type { Logger } from '../log/index.ts'

/**
 * Lets in only callers whose certificate has one of these DNS names. That a certificate is sound is known by then.
 * The refusal carries no Fault, so to the caller it is a fault of ours, never one of whoever it calls for.
 */
export function createCallerCheck(callers: readonly string[], log: Logger): grpc.ServerInterceptor {
  const allowed = new Set(callers)
  /** When each caller's refusal was logged last; the names come from certificates of our own CA, so they are few. */
  const loggedAt = new Map<string, number>()

  function logRefusal(names: readonly string[]): void {
    const caller = names.join(', ')
    if (Date.now() - (loggedAt.get(caller) ?? 0) < quietMs) return
    loggedAt.set(caller, Date.now())
    log.error({ caller }, 'caller refused: its certificate has no name that GRPC_TLS_CALLERS lists')
  }

  return (_method, call) =>
    new grpc.ServerInterceptingCall(call, {
      start(next) {
        const listener = new grpc.ServerListenerBuilder().withOnReceiveMetadata((metadata, pass) => {
          const names = dnsNamesOf(call.getAuthContext().sslPeerCertificate)
          if (names.some((name) => allowed.has(name))) return pass(metadata)
          logRefusal(names)
          call.sendStatus(refusal)
        })
        next(listener.build())
      },
    })
}

const quietMs = 10_000
const refusal = { code: grpc.status.PERMISSION_DENIED, details: 'This process may not be called by yours.' }

/** "DNS:gateway, DNS:gateway.shops.svc, IP Address:10.0.0.1" */
function dnsNamesOf(certificate: PeerCertificate | undefined): string[] {
  const names = certificate?.subjectaltname?.split(', ') ?? []
  return names.filter((name) => name.startsWith('DNS:')).map((name) => name.slice('DNS:'.length))
}
