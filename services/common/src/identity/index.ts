export {
  createIdentity,
  type ProcessIdentity,
  readIdentity,
  type ServerIdentity,
  type WatchedIdentity,
} from './process-identity.ts'
export type { TlsFiles } from './tls-files.ts'
export { createTlsIdentity, readTlsIdentity, type TlsIdentity } from './tls-identity.ts'
