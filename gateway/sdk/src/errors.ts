import type { ErrorCode, ValidationError } from './generated/types.ts'

/** Base class of all errors that this package throws, except an abort by your own signal and misuse (`TypeError`). */
export class StorekeepError extends Error {
  override readonly name: string = 'StorekeepError'
}

/** The code of an error response; `unexpected-response` for the response of a proxy. */
export type ApiErrorCode = ErrorCode | 'unexpected-response'

/** Storekeep rejected the request. The subclass follows from the status. */
export class ApiError extends StorekeepError {
  override readonly name: string = 'ApiError'
  /** HTTP status. */
  readonly status: number
  /** Stable code, for programs. */
  readonly code: ApiErrorCode
  /** Value of `x-request-id`, for the logs of the gateway. */
  readonly requestId: string | undefined
  /** W3C trace id. */
  readonly traceId: string | undefined
  /** The invalid fields; empty when the error is not about fields. */
  readonly violations: readonly ValidationError[]
  /** Seconds to wait before a retry, if the response says so. */
  readonly retryAfterSeconds: number | undefined
  /** Where the error codes are explained. */
  readonly docs: string

  constructor({ message, status, code, requestId, traceId, violations, retryAfterSeconds, docs }: ApiErrorFields) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.traceId = traceId
    this.violations = violations
    this.retryAfterSeconds = retryAfterSeconds
    this.docs = docs
  }
}

export interface ApiErrorFields {
  message: string
  status: number
  code: ApiErrorCode
  requestId: string | undefined
  traceId: string | undefined
  violations: readonly ValidationError[]
  retryAfterSeconds: number | undefined
  docs: string
}

/** 400: the request is malformed, or fields are invalid (`violations`). */
export class BadRequestError extends ApiError {
  override readonly name: string = 'BadRequestError'
}

/** 401: the API key or customer token is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
}

/** 403: insufficient permissions, or the customer is banned (`customer-banned`). */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError'
}

/** 404: record not found. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}

/** 409: the request conflicts with the state of the store, such as a code that is taken. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError'
}

/** 422: the idempotency key was used before with another request. */
export class IdempotencyError extends ApiError {
  override readonly name: string = 'IdempotencyError'
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError'
}

/** 5xx: Storekeep, or a proxy in front of it, failed. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** No complete response arrived. Whether the request took effect is unknown. */
export class ConnectionError extends StorekeepError {
  override readonly name: string = 'ConnectionError'
}

/** No complete response arrived within `timeoutMs`. Whether the request took effect is unknown. */
export class RequestTimeoutError extends ConnectionError {
  override readonly name: string = 'RequestTimeoutError'
}

/** A response with a success status was not JSON. Is `baseUrl` the address of a gateway? */
export class UnexpectedResponseError extends StorekeepError {
  override readonly name: string = 'UnexpectedResponseError'
  readonly status: number
  readonly requestId: string | undefined

  constructor(message: string, status: number, requestId: string | undefined) {
    super(message)
    this.status = status
    this.requestId = requestId
  }
}

/** A webhook was not signed by Storekeep with one of the secrets, or is too old. Respond with 400. */
export class WebhookVerificationError extends StorekeepError {
  override readonly name: string = 'WebhookVerificationError'
}
