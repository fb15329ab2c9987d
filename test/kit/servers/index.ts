export { type PgBouncerOptions, startPgBouncer } from './pgbouncer.ts'
export { startStandby } from './postgres-standby.ts'
export { startRedisSentinel } from './redis-sentinel.ts'
