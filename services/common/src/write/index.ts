export { sweepIdempotencyRecords } from './idempotency-record.ts'
export { findKeptAnswer, type WriteCall, type WriteDependencies, type WriteOptions, write } from './write.ts'
