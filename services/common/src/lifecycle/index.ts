export { describeStartFailure, type Running, runProcess } from './run-process.ts'
