export { createFairQueue, type FairQueue } from './fair-queue.ts'
