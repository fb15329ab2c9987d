export { type CallKeys, deriveCallKeys, parseCallKeys } from './call-keys.ts'
export {
  createIdentity,
  type ProcessIdentity,
  readIdentity,
  type ServerIdentity,
  type WatchedIdentity,
} from './process-identity.ts'
