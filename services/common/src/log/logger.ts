import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { type LogOutput, standardOutput } from './log-output.ts'
import { scrubSecrets } from './scrub.ts'
import { sourceStack } from './source-stack.ts'

/**
 * Creates the logger of a process: JSON lines with `service`, `time` and the fields of the call. Messages are constants;
 * data goes into fields. Only fields on the allow-list below are printed, so that a request body, header or token
 * logged by mistake does not reach the log. Lines that cannot be written are dropped and counted; once lines can be written
 * again, a warning reports their number. Errors are written immediately, other lines within 20 ms.
 *
 * @param options.service name of the process, printed with every line
 * @param options.level pino level; `silent` for tests that do not check the log
 */
export function createLogger(options: LoggerOptions): Logger {
  const log = pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: keepAllowed },
      serializers: { err: describeError },
      hooks: {
        // An error message or an allowed field may still quote a secret.
        streamWrite: scrubSecrets,
      },
    },
    options.destination ?? { write: writeLine },
  )
  const { output = standardOutput } = options
  function writeLine(line: string): void {
    output.write(line)
    if (line.includes('"level":"error"')) output.flush()
    const count = output.takeUnreported()
    if (count > 0) log.warn({ count }, 'log write failed: lines dropped')
  }
  return log
}

/** A logger that adds these fields to every line. */
export function withFields<Fields extends LogFields>(log: Logger, fields: OnlyAllowed<Fields>): Logger {
  // pino applies `formatters` only to the fields of a line.
  return (log as PinoLogger).child(keepAllowed(fields))
}

/** Fields that may be logged. Before you add one, make sure that it cannot contain a secret. */
const allowedFields = [
  'service',
  'err',
  'event_id',
  'subject',
  'stream',
  'consumer',
  'attempt',
  'store_id',
  'aggregate_id',
  'checkout_id',
  'coupon_id',
  'payment_id',
  'refund_id',
  'subscription_id',
  'webhook_endpoint_id',
  'game_server_id',
  'delivery_id',
  'api_key_id',
  'request_id',
  'trace_id',
  'span_id',
  'method',
  'route',
  'http_method',
  'status',
  'code',
  'duration_ms',
  'delay_ms',
  'count',
  'checked',
  'drifted',
  'type',
  'generation',
  'limit',
  'limits',
  'pattern',
  'directive',
  'address',
  'previous',
  'signal',
  'migration',
  'schema',
  'cell',
  'target',
  'reason',
  'task',
  'caller',
  'serial_number',
  'not_after',
] as const

const isAllowed: ReadonlySet<string> = new Set(allowedFields)

type LogField = (typeof allowedFields)[number]
type LogFields = { readonly [Name in LogField]?: unknown }
/** Only fields of the list. Excess property checks would miss fields of variables and spreads. */
type OnlyAllowed<Fields> = Fields & { readonly [Name in Exclude<keyof Fields, LogField>]: never }

/** Logs a constant message with fields of the allow-list; others do not compile. */
export interface Logger extends Record<'debug' | 'info' | 'warn' | 'error', LogMethod> {
  isLevelEnabled(level: string): boolean
}

interface LogMethod {
  (message: string): void
  <Fields extends LogFields>(fields: OnlyAllowed<Fields>, message: string): void
}

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isAllowed.has(name)))
}

/**
 * Maps an error to its type, message, stack, chain of causes and, of an AggregateError, its first errors. Other properties of
 * the error are dropped.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  return {
    type: error.name,
    message: error.message,
    stack: error.stack && sourceStack(error.stack),
    ...(error.cause !== undefined && depth < 4 && { cause: describeError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < 4 && { errors: error.errors.slice(0, 3).map((one) => describeError(one, depth + 1)) }),
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
