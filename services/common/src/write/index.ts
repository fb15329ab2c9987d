export { sweepIdempotencyRecords } from './idempotency-record.ts'
export { type WriteCall, type WriteDependencies, type WriteOptions, write } from './write.ts'
