import pg from 'pg'
import { errors, ServiceFault } from '../errors/index.ts'

/**
 * True when `error` says that a row with these unique values exists already.
 * @param constraint name of the constraint or unique index; any when left out
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false
  return constraint === undefined || error.constraint === constraint
}

/** True when running the whole transaction again may succeed: a serialization failure or a deadlock. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/**
 * What a caller of the database shall see: trouble with the connection, time-outs and a database that is starting,
 * stopping, full or read-only become `errors.unavailable` with the original as private cause (a fault of ours is
 * never answered 401, 403 or 500). Everything else, constraint violations above all, stays as it is.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof ServiceFault) return error
  return isOutage(error) ? errors.unavailable(error) : error
}

/** True when the connection that the error came from must not be used again. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === readOnly
  }
  return isOutage(error)
}

/** True when the database cannot be reached or does not take us now, which another try may mend. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    return outageCodes.has(code) || outageClasses.has(code.slice(0, 2))
  }
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkCodes.has(code) || outageMessages.some((start) => error.message.startsWith(start))
}

/** A replica answered: a failover is under way and the pool must find the new primary. */
const readOnly = '25006'
const outageCodes = new Set([
  readOnly,
  '25P03', // the session sat idle in a transaction for too long and was ended
  '40001', // retried already, still in the way
  '40P01',
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // shutting down
  '57P02',
  '57P03', // starting up
  '57P05',
])
/** 08 connection exceptions, 28 refused credentials, 53 out of connections, memory or disk, 58 the machine. */
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
/** Errors that `pg` and its pool raise themselves carry no code, only these texts. */
const outageMessages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
]
