export { type SeededRandom, seededRandom } from '@storekeep/common/testing'
export { onServer } from '@storekeep/common/testing/database'
export type {
  AccountBody,
  ActorBody,
  AffiliateLinkBody,
  BanBody,
  BanIdentityBody,
  CheckoutLineBody,
  CheckoutSessionBody,
  CouponBody,
  CouponInputBody,
  CustomerBody,
  CustomVariableBody,
  CustomVariableOptionBody,
  DeliveryItemBody,
  GameServerBody,
  NewCheckoutBody,
  PortalSessionBody,
  ProductBody,
  SearchBody,
  ServiceErrorBody,
  StoreBody,
  StoreSettingsBody,
  TagBody,
} from './bodies.ts'
export { type Connection, connectTo } from './connection.ts'
export { couponTerms } from './coupon-terms.ts'
export { connectGameServer, type Delivery, openDelivery, type TestGameServer } from './delivery.ts'
export { createExamples, type Ids, pathOf } from './example-requests.ts'
export { expectFault } from './expect-fault.ts'
export { fresh, unknownId } from './fresh.ts'
export { createHttpClient, type HttpClient, type HttpResponse, type RequestInput } from './http-client.ts'
export type { BreakableServer, ServerKind } from './infra.ts'
export { type Operation, operationsOf } from './operations.ts'
export type { ReceivedSpan } from './otlp-decode.ts'
export { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts'
export { type Memory, memoryOf, watchMemory } from './process-memory.ts'
export { ContractViolation } from './published-contract.ts'
export {
  type ClusterGroup,
  cutOff,
  type RedisServer,
  runOn,
  type SentinelGroup,
  startClusterGroup,
  startSentinelGroup,
} from './redis-groups.ts'
export { report } from './report.ts'
export { scaled } from './scaled.ts'
export { readTraces } from './secrets.ts'
export type { ServiceProcess, Settings } from './service-process.ts'
export { sharedGateways, useSharedSystem } from './shared-system.ts'
export { openShop, type Shop } from './shop.ts'
export { deleteStream, readStream } from './stream.ts'
export { type Product, type System, type SystemOptions, startProduct, startSystem } from './system.ts'
export type { SystemAddress } from './system-address.ts'
export { type GameName, openStore, type StoreIdentity, type TestStore } from './test-store.ts'
export { backOff, waitFor } from './wait-for.ts'
