export { type BodyReader, createBodyReader, discardRest, payloadTooLarge } from './body-reader.ts'
export { BoundedMap } from './bounded-map.ts'
export {
  hstsHeader,
  parseNetworks,
  readConnectionsConfig,
  readHstsMaxAge,
  readTrustedProxies,
} from './connections-config.ts'
export { createFailureThrottle, type FailureThrottle } from './failure-throttle.ts'
export { type ConnectionsConfig, closedConnectionReasons, guardConnections } from './guard-connections.ts'
export { type Grant, keyOf, type LazyLimit, type Limit, windowMs } from './limit.ts'
export { limitConcurrency } from './limit-concurrency.ts'
export { listen } from './listen.ts'
export { createLocalWindows } from './local-windows.ts'
export { http } from './node-http.ts'
export { addressGroup, callerAddress, peerAddress } from './peer-address.ts'
export { RateLimited, rateLimited, writeGrants } from './rate-limited.ts'
export { createHttpServer, drain } from './serve.ts'
