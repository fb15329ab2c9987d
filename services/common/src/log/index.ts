export { standardOutput } from './log-output.ts'
export { createLogger, type Logger } from './logger.ts'
