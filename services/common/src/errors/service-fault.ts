import type { ErrorCode, ValidationKind } from './catalogue.ts'

/**
 * The one error that crosses a border between processes. `message` and `violations` are public; `cause` is
 * private and only ever logged. Make one through `errors`, not with `new`.
 */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault'
  readonly code: ErrorCode
  readonly violations: readonly Violation[]
  /** Whole seconds after which a retry makes sense; undefined when it never does. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.violations = options.violations ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/**
 * Constructors of every fault, so that call sites read like sentences: `throw errors.notFound('customer')`.
 */
export const errors = {
  /** 400: the request cannot be read (malformed JSON, a bad header). */
  badRequest: (message: string) => new ServiceFault('bad-request', message),
  /** 400: the request can be read, but these members are wrong. Takes at least one violation. */
  validationFailed: (violations: readonly Violation[]) =>
    new ServiceFault('validation-failed', validationMessage(violations), { violations }),
  /** 401: no credential, or one that is not accepted. Never says which of these it is. */
  unauthorized: (message = 'The credential is missing or not accepted.') => new ServiceFault('unauthorized', message),
  /** 403: a valid credential that may not do this. */
  forbidden: (message = 'The credential may not do this.') => new ServiceFault('forbidden', message),
  /** 403: the platform or the store does not have the direct sign-in flow. */
  platformNotAllowed: (message: string) => new ServiceFault('platform-not-allowed', message),
  /** 403: somebody whom a ban of the store names. Never says which ban, nor why. */
  customerBanned: () => new ServiceFault('customer-banned', 'This customer may not buy in this store.'),
  /** 404: `what` is a noun ("customer"), named for the caller. */
  notFound: (what: string) => new ServiceFault('not-found', `There is no such ${what}.`),
  /** 409: another resource, or another call, stands in the way. */
  conflict: (message: string, violations: readonly Violation[] = []) =>
    new ServiceFault('conflict', message, { violations }),
  /** 422: the Idempotency-Key was used before with another body. */
  idempotencyMismatch: () =>
    new ServiceFault('idempotency-mismatch', 'This Idempotency-Key was used before with another request body.'),
  /** 503: a part of ours is down or slow. Clients may retry. `cause` is logged, never shown. */
  unavailable: (cause?: unknown, retryAfterSeconds = 1) =>
    new ServiceFault('service-unavailable', 'The service is temporarily unavailable. Try again.', {
      cause,
      retryAfterSeconds,
    }),
  /** 500: a mistake of ours. `cause` is logged, never shown. */
  internal: (cause?: unknown) => new ServiceFault('internal-error', 'Something went wrong on our side.', { cause }),
} as const

/**
 * One thing wrong with the input.
 * @param path dotted path of the member, as the HTTP caller wrote it (`lines.0.quantity`)
 * @param validation the kind of check that failed; also the code unless a finer one is given
 */
export function violation(path: string, validation: ValidationKind, message: string, code?: string): Violation {
  return { path, code: code ?? validation, message, validation }
}

export interface Violation {
  path: string
  code: string
  message: string
  validation: ValidationKind
}

interface FaultOptions {
  violations?: readonly Violation[]
  retryAfterSeconds?: number
  cause?: unknown
}

function validationMessage(violations: readonly Violation[]): string {
  const [first] = violations
  if (!first) return 'The request is not valid.'
  const rest = violations.length - 1
  const where = first.path === '' ? '' : `${first.path}: `
  return rest === 0 ? `${where}${first.message}` : `${where}${first.message} (and ${rest} more)`
}
