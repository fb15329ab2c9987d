export { createPeriodicTask, type PeriodicTask } from './periodic-task.ts'
export { describeStartFailure, type Running, runProcess } from './run-process.ts'
