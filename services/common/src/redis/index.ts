export { createRedis, type Redis, type RedisOptions } from './redis.ts'
export { defineScript, type RedisScript } from './script.ts'
