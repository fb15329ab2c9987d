/**
 * The names in spans, all of them. Those of OpenTelemetry's semantic conventions are written out, because the package
 * that has them is too large to load into every process; a test compares them with it. Those of our own begin with
 * `storekeep.`.
 *
 * What a span may say is what stands here: methods, routes, tables, subjects, statuses, ids of stores and events. Never
 * a value from a request, a query string, a name, an address of a person, a token, or the message of an error.
 */
export const attributes = {
  errorType: 'error.type',
  httpRequestMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpResponseStatusCode: 'http.response.status_code',
  rpcSystemName: 'rpc.system.name',
  rpcMethod: 'rpc.method',
  rpcStatusCode: 'rpc.status_code',
  dbSystemName: 'db.system.name',
  dbOperationName: 'db.operation.name',
  dbQuerySummary: 'db.query.summary',
  messagingSystemName: 'messaging.system.name',
  messagingDestinationName: 'messaging.destination.name',
  messagingOperationName: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  messagingConsumerGroupName: 'messaging.consumer.group.name',
  messagingMessageId: 'messaging.message.id',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  serviceInstanceId: 'service.instance.id',
  /** Whose data it is about. */
  storeId: 'storekeep.store_id',
  /** How often the event has been delivered to this consumer. */
  eventAttempt: 'storekeep.event.attempt',
  /** What became of the delivery: applied, repeated, ignored, retried, postponed, dead. */
  eventOutcome: 'storekeep.event.outcome',
} as const

/** Values that the conventions fix. */
export const values = {
  grpc: 'grpc',
  postgresql: 'postgresql',
  redis: 'redis',
  nats: 'nats',
  send: 'send',
  process: 'process',
} as const
