/**
 * All attribute names of spans. The names of OpenTelemetry's semantic conventions are written out, because their package is
 * too large to load into every process; a test compares them with it. Our names start with `storekeep.`.
 *
 * Spans contain only methods, routes, tables, subjects, statuses, and ids of stores and events. They never contain request
 * values, query strings, personal data, tokens or error messages.
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
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  serviceInstanceId: 'service.instance.id',
  /** The store whose data is accessed. */
  storeId: 'storekeep.store_id',
  /** How often the event has been delivered to this consumer. */
  eventAttempt: 'storekeep.event.attempt',
  /** Outcome of the delivery: applied, duplicate, ignored, retried, postponed, dead_letter. */
  eventOutcome: 'storekeep.event.outcome',
} as const

/** Attribute values defined by the conventions. */
export const values = {
  grpc: 'grpc',
  postgresql: 'postgresql',
  redis: 'redis',
  nats: 'nats',
  send: 'send',
  process: 'process',
} as const
