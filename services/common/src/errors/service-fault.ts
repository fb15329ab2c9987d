import type { ErrorCode, ValidationKind } from '@storekeep/proto/conventions/error-codes'

/**
 * The only error that crosses process boundaries. `message` and `violations` are public; `cause` is private and only
 * ever logged. Use `errors` to create faults.
 */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault'
  readonly code: ErrorCode
  readonly violations: readonly Violation[]
  /** Whole seconds after which a retry may succeed; undefined if a retry cannot succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.violations = options.violations ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Whether an error is a fault with one of these codes. */
export function isFault(error: unknown, ...codes: readonly ErrorCode[]): error is ServiceFault {
  return error instanceof ServiceFault && codes.includes(error.code)
}

/**
 * Turns an error of a called service that the caller cannot fix, such as a bug in either service, into `service-unavailable`.
 * Passed on, it would blame the client's credentials or request.
 */
export function unavailableIfInternal(error: unknown): unknown {
  const isInternal = isFault(error, 'internal-error', 'unauthorized', 'forbidden', 'bad-request')
  return isInternal ? errors.unavailable(error) : error
}

/** Creates the faults of services and domain code: `throw errors.notFound('customer')`. */
export const errors = {
  /** The request cannot be read. */
  badRequest: (message: string) => new ServiceFault('bad-request', message),
  /** Some fields of the request are invalid. Takes at least one violation. */
  validationFailed: (violations: readonly Violation[]) =>
    new ServiceFault('validation-failed', validationMessage(violations), { violations }),
  /** The credential is missing or invalid. Never reveals which. */
  unauthorized: (message = 'The credential is missing or invalid.') => new ServiceFault('unauthorized', message),
  /** The credential is valid but lacks permission. */
  forbidden: (message = 'The credential does not permit this operation.') => new ServiceFault('forbidden', message),
  /** The platform or the store does not support the direct sign-in flow. */
  platformNotAllowed: (message: string) => new ServiceFault('platform-not-allowed', message),
  /** A ban of the store matches the customer. Never reveals which ban, or its reason. */
  customerBanned: () => new ServiceFault('customer-banned', 'This customer may not buy in this store.'),
  /** @param what a noun from the caller's vocabulary: "customer" */
  notFound: (what: string) => new ServiceFault('not-found', `There is no such ${what}.`),
  /** Another resource or a concurrent call prevents the change. */
  conflict: (message: string, violations: readonly Violation[] = []) =>
    new ServiceFault('conflict', message, { violations }),
  /** A request with the same Idempotency-Key has not finished yet. */
  stillRunning: () => new ServiceFault('conflict', 'A request with this Idempotency-Key is still running.'),
  /** The Idempotency-Key belongs to a different request. */
  idempotencyMismatch: () =>
    new ServiceFault('idempotency-mismatch', 'This Idempotency-Key was already used with a different request body.'),
  /** A dependency is unreachable or too slow; a retry may succeed. `cause` is logged, never shown. */
  unavailable: (cause?: unknown) =>
    new ServiceFault('service-unavailable', 'The service is temporarily unavailable. Try again.', {
      cause,
      retryAfterSeconds: 1,
    }),
  /** A bug in Storekeep. `cause` is logged, never shown. */
  internal: (cause?: unknown) => new ServiceFault('internal-error', 'An internal error occurred.', { cause }),
} as const

/**
 * Describes one invalid field of the input.
 * @param path dotted path of the field, as the HTTP caller wrote it (`lines.0.quantity`)
 * @param validation kind of the check that failed; also the code unless `code` names a more specific reason
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
  if (!first) return 'The request is invalid.'
  const others = violations.length - 1
  const where = first.path === '' ? '' : `${first.path}: `
  return others === 0 ? `${where}${first.message}` : `${where}${first.message} (and ${others} more)`
}
