import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from '../clock/index.ts'
import { type LogOutput, standardOutput } from './log-output.ts'
import { scrubSecrets } from './scrub.ts'
import { sourceStack } from './source-stack.ts'

export type { Logger } from 'pino'

/**
 * Creates the logger of a process: JSON lines with `service`, `time` and the fields of the call. Messages are constants;
 * data goes into fields. Only fields on the allow-list below are printed, so that a request body, header or token
 * logged by mistake does not reach the log. Lines that cannot be written are dropped and counted; once lines can be written
 * again, a warning reports their number. Errors are written at once, other lines within 20 ms.
 *
 * @param options.service name of the process, printed with every line
 * @param options.level pino level; `silent` for tests that do not check the log
 */
export function createLogger(options: LoggerOptions): Logger {
  const log = pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: printTime,
      formatters: { level: (label) => ({ level: label }), log: keepAllowed },
      serializers: { err: describeError },
      hooks: {
        // An error message or an allowed field may still quote a secret.
        streamWrite: scrubSecrets,
      },
    },
    options.destination ?? withLevel(writeLine),
  )
  const { output = standardOutput } = options
  function writeLine(line: string, level: number): void {
    output.write(line)
    if (level >= errorLevel) output.flush()
    const count = output.takeUnreported()
    if (count > 0) log.warn({ count }, 'log lines dropped: the log could not be written')
  }
  // NOTE pino applies formatters only to the bindings of the root logger. Child loggers inherit this method.
  const { child } = log
  log.child = function allowedChild(this: Logger, bindings: Record<string, unknown>, childOptions) {
    return child.call(this, keepAllowed(bindings), childOptions)
  } as typeof log.child
  return log
}

/** pino's number of the level `error`. */
const errorLevel = 50

/** A destination to which pino passes the level of each line. */
function withLevel(write: (line: string, level: number) => void): DestinationStream {
  const destination = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write: (line: string) => write(line, destination.lastLevel),
  }
  return destination
}

/** Fields that may be logged. Before you add one, make sure that it cannot contain a secret. */
const allowedFields = new Set([
  'service',
  'err',
  'event',
  'event_id',
  'subject',
  'stream',
  'consumer',
  'attempt',
  'store_id',
  'aggregate_id',
  'checkout_id',
  'coupon_id',
  'api_key_id',
  'customer_id',
  'actor_type',
  'request_id',
  'trace_id',
  'span_id',
  'method',
  'route',
  'http_method',
  'status',
  'code',
  'violations',
  'grpc_code',
  'duration_ms',
  'delay_ms',
  'timeout_ms',
  'count',
  'limit',
  'address',
  'port',
  'signal',
  'migration',
  'schema',
  'target',
  'provider',
  'reason',
  'task',
  'caller',
  'serial_number',
  'not_after',
])

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  // A loop, because Object.entries would allocate an array for every field.
  for (const name in fields) if (allowedFields.has(name)) kept[name] = fields[name]
  return kept
}

/** The time as pino expects it. Under load, several lines have the same millisecond. */
function printTime(): string {
  const now = systemClock.now()
  if (now.getTime() !== lastMs) {
    lastMs = now.getTime()
    lastText = `,"time":"${now.toISOString()}"`
  }
  return lastText
}

let lastMs = Number.NaN
let lastText = ''

/** Maps an error to its type, message, stack and chain of causes. Other properties of the error are dropped. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  return {
    type: error.name,
    message: error.message,
    stack: error.stack && sourceStack(error.stack),
    ...(error.cause !== undefined && depth < 4 && { cause: describeError(error.cause, depth + 1) }),
  }
}

interface LoggerOptions {
  service: string
  level?: string
  /** For tests: receives the lines instead of an output. */
  destination?: DestinationStream
  /** Default: standard output. */
  output?: LogOutput
}
