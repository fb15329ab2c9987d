export { standardOutput } from './log-output.ts'
export { createLogger, type Logger, withFields } from './logger.ts'
