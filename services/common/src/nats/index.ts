export { createNats, type Nats, type NatsOptions } from './nats.ts'
export { apiCodes, ensureStream, isApiError, type StreamState, streamPrefix } from './stream.ts'
