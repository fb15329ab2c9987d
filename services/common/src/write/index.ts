export { sweepIdempotencyRecords } from './idempotency-record.ts'
export { findStoredResponse, type WriteCall, type WriteDependencies, type WriteOptions, write } from './write.ts'
