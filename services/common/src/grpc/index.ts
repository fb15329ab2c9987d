export type { Input, InputInit, Output, UnaryService } from './adapter.ts'
export {
  type Call,
  type CallActor,
  type CallOptions,
  type CancelSignal,
  type Idempotency,
  internalActor,
  onBehalfOf,
  requireStore,
} from './call.ts'
export { type Client, createClient, createGrpcTransport, isRejected, type Transport } from './client.ts'
export { type CellConnections, type CellState, connectCells } from './connect-cells.ts'
export { type BoundService, bind, createGrpcServer, type Handlers } from './server.ts'
