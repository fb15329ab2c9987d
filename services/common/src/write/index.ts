export { createFlakeIds, type FlakeIds } from './flake-ids.ts'
export { sweepIdempotencyRecords } from './idempotency-record.ts'
export { findStoredResponse, type WriteDependencies, type WriteOptions, write } from './write.ts'
