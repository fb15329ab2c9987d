export { describeStartFailure, type Running, runProcess } from './run-process.ts'
export { trimHeap } from './trim-heap.ts'
