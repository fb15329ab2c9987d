export { sendBySlot } from './by-slot.ts'
export { createRedis, type Redis, type RedisOptions, traceCommand } from './redis.ts'
export { createRedisFallbacks, exportRedisState } from './redis-metrics.ts'
export { defineScript, type RedisScript } from './script.ts'
