export type { TlsFiles } from './tls-files.ts'
export { createTlsIdentity, type TlsIdentity } from './tls-identity.ts'
