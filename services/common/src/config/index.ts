export { addressSetting, type CellAddresses, readCells } from './cells-config.ts'
export { type ConnectionShares, shareConnections } from './connection-shares.ts'
export {
  type DatabaseHost,
  type DatabaseUrl,
  formatDatabaseUrl,
  formatHosts,
  parseDatabaseUrl,
} from './database-url.ts'
export { ConfigError, createEnvReader, type Environment, type EnvReader } from './env.ts'
export {
  type IdentityConfig,
  readIdentityConfig,
  type ServerIdentityConfig,
} from './identity-config.ts'
export { type NatsConfig, parseNatsUrl } from './nats-config.ts'
export { type RedisConfig, readRedisConfig } from './redis-config.ts'
export { parseRedisUrl, type RedisUrl } from './redis-url.ts'
export type { ServerUrl } from './server-url.ts'
export { logLevels, readCell, readServiceConfig, type ServiceConfig } from './service-config.ts'
export { parseSmtpUrl } from './smtp-url.ts'
export type { TlsConfig } from './tls-config.ts'
export { parseRatio, readTracingConfig, type TracingConfig } from './tracing-config.ts'
