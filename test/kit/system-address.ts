import type { TlsConfig } from '@storekeep/common/config'
import type { TracePlaces } from './secrets.ts'

/** Where a system runs and keeps things; plain data. */
export interface SystemAddress extends TracePlaces {
  gatewayUrls: readonly string[]
  /** Of every process. */
  metricsUrls: readonly string[]
  storesAddress: string
  /** The files by which an operator proves who it is, where calls are TLS. */
  tls?: TlsConfig
  secretsFile: string
}
