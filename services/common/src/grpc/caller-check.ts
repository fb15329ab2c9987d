import type { PeerCertificate } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import type { Logger } from '../log/index.ts'

/**
 * Rejects callers whose certificate has none of these DNS names. TLS has verified the certificate by then. The rejection
 * carries no Fault, so the calling process reports it as unavailable, never as its client's lack of permission.
 */
export function createCallerCheck(callers: readonly string[], log: Logger): grpc.ServerInterceptor {
  const allowed = new Set(callers)
  /** When each caller's rejection was last logged. Bounded: only our own CA can issue the certificates. */
  const loggedAt = new Map<string, number>()

  function logRejection(names: readonly string[]): void {
    const caller = names.join(', ')
    const now = performance.now()
    if (now - (loggedAt.get(caller) ?? Number.NEGATIVE_INFINITY) < logIntervalMs) return
    loggedAt.set(caller, now)
    log.error({ caller }, 'grpc caller rejected: no certificate name is listed in GRPC_TLS_CALLERS')
  }

  return (_method, call) =>
    new grpc.ServerInterceptingCall(call, {
      start(next) {
        const listener = new grpc.ServerListenerBuilder().withOnReceiveMetadata((metadata, pass) => {
          const names = dnsNamesOf(call.getAuthContext().sslPeerCertificate)
          if (names.some((name) => allowed.has(name))) return pass(metadata)
          logRejection(names)
          call.sendStatus(rejection)
        })
        next(listener.build())
      },
    })
}

const logIntervalMs = 10_000
const rejection = { code: grpc.status.PERMISSION_DENIED, details: 'The caller is not in GRPC_TLS_CALLERS.' }

/** "DNS:gateway, DNS:gateway.shops.svc, IP Address:10.0.0.1" */
function dnsNamesOf(certificate: PeerCertificate | undefined): string[] {
  const names = certificate?.subjectaltname?.split(', ') ?? []
  return names.filter((name) => name.startsWith('DNS:')).map((name) => name.slice('DNS:'.length))
}
