import { randomFillSync } from 'node:crypto'

/**
 * A W3C trace context. It is propagated as `traceparent` from HTTP through gRPC, the outbox row and the message header to
 * consumers, so that all of them share a trace id.
 */
export interface TraceContext {
  /** 32 hex digits; also `trace_id` of a ServiceError. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  sampled: boolean
}

/** Parses a `traceparent` header; undefined if it is absent or malformed. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = header === undefined ? null : traceparentPattern.exec(header)
  if (!match) return undefined
  const [, version, traceId, spanId, flags] = match
  if (!traceId || !spanId || !flags || version === 'ff') return undefined
  if (traceId === zeroTraceId || spanId === zeroSpanId) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Formats a context as a `traceparent` header. */
export function formatTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${context.sampled ? '01' : '00'}`
}

/** Creates the context of a child span of `parent`, or of a new, unsampled trace. */
export function childContext(parent?: TraceContext): TraceContext {
  return {
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    sampled: parent?.sampled ?? false,
  }
}

/** Takes bytes from a pool: requesting a few random bytes at a time from the system is slow. */
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
