export type {
  AccountBody,
  ActorBody,
  BanBody,
  BanIdentityBody,
  CustomerBody,
  CustomVariableBody,
  CustomVariableOptionBody,
  PortalSessionBody,
  ServiceErrorBody,
  StoreBody,
} from './bodies.ts'
export { type Connection, connectTo, type SystemAddress } from './connection.ts'
export { onServer } from './database.ts'
export { expectFault, type FaultCode } from './expect-fault.ts'
export { fresh, unknownId } from './fresh.ts'
export { type Answer, createHttpClient, type HttpClient, type RequestInput } from './http-client.ts'
export type { BreakableServer, ServerKind } from './infra.ts'
export { ContractViolation } from './published-contract.ts'
export { type SeededRandom, seededRandom } from './random.ts'
export { report } from './report.ts'
export type { ServiceProcess, Settings } from './service-process.ts'
export { sharedGateways, useSharedSystem } from './shared-system.ts'
export { deleteStream } from './stream.ts'
export { type System, type SystemOptions, startSystem } from './system.ts'
export type { GameName, TestStore } from './test-store.ts'
export { backOff, waitFor } from './wait-for.ts'
