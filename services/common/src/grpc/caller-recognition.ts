import { randomBytes } from 'node:crypto'
import type { PeerCertificate } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import type { CallerProof } from '@storekeep/proto/common/v1/multiplex_service'
import { type CallerName, callerNames } from '@storekeep/proto/conventions/call-rights'
import type { ServerIdentity } from '../identity/index.ts'

/**
 * Recognizes which process calls. With TLS, the certificate names it. Otherwise the server sends a nonce when it accepts
 * a stream, and the caller's first message contains a MAC over it: once per stream, so calls cost nothing more, and a
 * recorded proof is worthless for another stream. Plain unary RPCs carry no proof, so they need TLS.
 */
export function createCallerRecognition({ name, tls, keys, callers }: ServerIdentity): CallerRecognition {
  function byCertificate({ sslPeerCertificate }: AuthContext): Caller {
    const dnsNames = dnsNamesOf(sslPeerCertificate)
    const known = dnsNames.find((dnsName) => callers?.has(dnsName))
    return { name: known === undefined ? undefined : callers?.get(known), label: dnsNames.join(', ') }
  }

  function byProof(nonce: Buffer, proof: CallerProof | undefined): Caller {
    const claimed = callerNames.find((one) => one === proof?.name)
    const isProven = claimed && proof && keys?.verify(claimed, name, nonce, proof.mac)
    return { name: isProven ? claimed : undefined, label: claimed ?? 'none' }
  }

  return {
    acceptStream(stream) {
      if (tls) {
        const caller = byCertificate(stream.getAuthContext())
        return { headers: new grpc.Metadata(), recognize: () => caller }
      }
      const nonce = randomBytes(16)
      const headers = new grpc.Metadata()
      headers.set(nonceHeader, nonce)
      return {
        headers,
        recognize: (proof) => byProof(nonce, proof),
      }
    },
    ofPlainCall: (call) => (tls ? byCertificate(call.getAuthContext()) : unproven),
  }
}

/** The nonce that a server without TLS sends with the headers of a stream. */
export const nonceHeader = 'storekeep-nonce-bin'

export interface CallerRecognition {
  acceptStream(stream: WithAuthContext): {
    /** Accepts the stream. */
    headers: grpc.Metadata
    /** @param proof of the first message */
    recognize(proof: CallerProof | undefined): Caller
  }
  ofPlainCall(call: WithAuthContext): Caller
}

export interface Caller {
  /** Undefined unless the certificate or the proof belongs to a known caller. */
  name: CallerName | undefined
  /** What the caller claims to be; for the log. */
  label: string
}

/** A caller that has sent no proof. */
export const unproven: Caller = { name: undefined, label: 'none' }

type AuthContext = ReturnType<WithAuthContext['getAuthContext']>
type WithAuthContext = Pick<grpc.ServerUnaryCall<unknown, unknown>, 'getAuthContext'>

/** "DNS:gateway, DNS:gateway.shops.svc, IP Address:10.0.0.1" */
function dnsNamesOf(certificate: PeerCertificate | undefined): string[] {
  const names = certificate?.subjectaltname?.split(', ') ?? []
  return names.filter((name) => name.startsWith('DNS:')).map((name) => name.slice('DNS:'.length))
}
