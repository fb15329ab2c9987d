import { ForbiddenTarget } from '../targets/index.ts'

/** Why a request received no usable response. */
export type FailureReason = 'timeout' | 'connection' | 'tls' | 'address-rejected' | 'dns' | 'too-slow' | 'protocol'

export class RequestFailure extends Error {
  readonly reason: FailureReason

  /** @param message for the owner of the receiver: a sentence without internal details */
  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The failure that an error of node:http stands for. @param signal ended the request, if it is aborted */
export function failureOf(error: unknown, signal: AbortSignal): { reason: FailureReason; message: string } {
  const cause = signal.aborted && !(error instanceof RequestFailure) ? signal.reason : error
  if (cause instanceof RequestFailure) return { reason: cause.reason, message: cause.message }
  if (cause instanceof ForbiddenTarget) return { reason: 'address-rejected', message: `The URL ${cause.message}.` }
  const code = codeOf(cause)
  const reason = reasonOf(code)
  return { reason, message: `${messages[reason]} (${code || 'no code'})` }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function reasonOf(code: string): 'tls' | 'protocol' | 'connection' {
  if (/^(ERR_(TLS|SSL)_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)|_CERT|HOSTNAME_MISMATCH/.test(code))
    return 'tls'
  return /^(HPE|ERR)_/.test(code) ? 'protocol' : 'connection'
}

const messages = {
  tls: 'No secure connection was established; the certificate or protocol is not acceptable.',
  protocol: 'The receiver sent no valid HTTP response.',
  connection: 'The connection failed.',
} as const
