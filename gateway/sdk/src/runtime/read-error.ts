import {
  ApiError,
  type ApiErrorFields,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors.ts'
import type { ServiceError } from '../generated/types.ts'
import { retryAfterSeconds } from './retry.ts'

/** The error of a response that is not a success. */
export function readError(response: Response, text: string, baseUrl: string): ApiError {
  const { status, headers } = response
  const error = parseServiceError(text)
  const fields: ApiErrorFields = {
    status,
    code: error?.code ?? 'unexpected-response',
    message: error ? describe(error) : `Unexpected response with status ${status}`,
    requestId: headers.get('x-request-id') ?? undefined,
    traceId: error?.trace_id ?? undefined,
    violations: error?.errors ?? [],
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after')),
    docs: `${baseUrl}/docs#description/errors`,
  }
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new ErrorClass(fields)
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: IdempotencyError,
  429: RateLimitError,
}

/** Undefined for the response of a proxy. */
function parseServiceError(text: string): ServiceError | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isServiceError(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isServiceError(body: unknown): body is ServiceError {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  const errors = 'errors' in body ? body.errors : null
  return typeof body.code === 'string' && typeof body.message === 'string' && (errors === null || Array.isArray(errors))
}

/** The response's message followed by its field messages; omits a message that only repeats the first field. */
function describe({ message, errors }: ServiceError): string {
  const fields = (errors ?? []).map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`))
  const isRepeated = fields[0] !== undefined && message.startsWith(fields[0])
  return (isRepeated ? fields : [message, ...fields]).join('\n')
}
