export type { TlsFiles } from './tls-files.ts'
export { createTlsIdentity, readTlsIdentity, type TlsIdentity, type WatchedTlsIdentity } from './tls-identity.ts'
