export {
  createIdentity,
  type ProcessIdentity,
  readIdentity,
  type ServerIdentity,
  type WatchedIdentity,
} from './process-identity.ts'
