import { randomFillSync } from 'node:crypto'

/**
 * The W3C trace context of a piece of work. It travels as `traceparent` from HTTP through gRPC metadata, the outbox
 * row and the message header to the consumer, so that one trace id joins them.
 */
export interface TraceContext {
  /** 32 hex digits; also `trace_id` of a ServiceError. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  sampled: boolean
}

/** Reads a `traceparent` header; undefined when it is absent or not well-formed, as W3C asks. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = header === undefined ? null : traceparentPattern.exec(header)
  if (!match) return undefined
  const [, version, traceId, spanId, flags] = match
  if (!traceId || !spanId || !flags || version === 'ff') return undefined
  if (traceId === zeroTraceId || spanId === zeroSpanId) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Writes the `traceparent` header of a context. */
export function formatTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${context.sampled ? '01' : '00'}`
}

/** A new span below `parent`, or the root of a new, unsampled trace. */
export function childContext(parent?: TraceContext): TraceContext {
  return {
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    sampled: parent?.sampled ?? false,
  }
}

/** Out of a pool, since asking the system for so few bytes costs far more than the bytes. */
function randomHex(bytes: number): string {
  if (poolUsed + bytes > pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += bytes
  return pool.toString('hex', poolUsed - bytes, poolUsed)
}

const pool = Buffer.alloc(4096)
let poolUsed = pool.length

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const zeroTraceId = '0'.repeat(32)
const zeroSpanId = '0'.repeat(16)
