import pg from 'pg'
import { errors, ServiceFault } from '../errors/index.ts'

/**
 * True if `error` is a violation of a unique index.
 * @param constraint name of the constraint or index. Default: any
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint === constraint
}

/** True for serialization failures and deadlocks: running the whole transaction again may succeed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/**
 * Maps outages (connection errors, timeouts, and a database that is starting, stopping, full or read-only) to
 * `errors.unavailable` with the original as private cause, and so a pooler without prepared statements. Returns any other error
 * unchanged.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof ServiceFault) return error
  if (isUnprepared(error)) return errors.unavailable(new Error(poolerMessage, { cause: error }))
  return isOutage(error) ? errors.unavailable(error) : error
}

/** The prepared statement is missing, or another client's: a pooler has given the client another connection. */
function isUnprepared(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05')
}

const poolerMessage =
  'The pooler does not keep prepared statements. In transaction mode, use PgBouncer 1.21 or later with max_prepared_statements above 0.'

/** The error if the connection must not be used again after it: `pg.PoolClient.release` takes it. */
export function errorIfBroken(error: unknown): Error | undefined {
  if (error instanceof pg.DatabaseError) {
    const isBroken = error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === readOnly
    return isBroken ? error : undefined
  }
  return error instanceof Error && isOutage(error) ? error : undefined
}

/** True if a statement has reached a time limit, of the role or of the process. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '57014'
  return error instanceof Error && error.message === readTimeout
}

/** True if all connections of the pool are in use, which says nothing about the server. */
export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === poolTimeout
}

/** True if the database is unreachable or temporarily rejects us, so that a retry may succeed. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    return outageCodes.has(code) || outageClasses.has(code.slice(0, 2))
  }
  if (!(error instanceof Error)) return false
  if (error instanceof UnsuitableServerError || error instanceof NoServerError) return true
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkCodes.has(code) || outageMessages.some((start) => error.message.startsWith(start))
}

/** A server that may not be used, such as a standby. */
export class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError'
}

/** None of the servers that the database's URL lists may be used. `errors` has the reason of each. */
export class NoServerError extends AggregateError {
  override readonly name = 'NoServerError'
}

/** The server is a replica: a failover is in progress and the pool must find the new primary. */
const readOnly = '25006'
const outageCodes = new Set([
  readOnly,
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization failure or deadlock, even after retries
  '40P01',
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // shutting down
  '57P02',
  '57P03', // starting up
  '57P05',
])
/** 08 connection exceptions, 28 invalid credentials, 53 insufficient resources, 58 system errors. */
const outageClasses = new Set(['08', '28', '53', '58'])
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** Errors that `pg` and its pool raise themselves have no code. A test has the real library raise each of these messages. */
const readTimeout = 'Query read timeout'
const poolTimeout = 'timeout exceeded when trying to connect'
const outageMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  readTimeout,
  poolTimeout,
  'timeout expired',
]
