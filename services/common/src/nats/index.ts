export { createNats, type Nats, type NatsOptions } from './nats.ts'
export { apiCodes, ensureStream, findStream, isApiError, type StreamState, streamPrefix } from './stream.ts'
