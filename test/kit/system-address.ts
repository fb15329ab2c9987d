import type { TlsConfig } from '@storekeep/common/config'
import type { TracePlaces } from './secrets.ts'

/** The addresses and files of a running system, as plain data. */
export interface SystemAddress extends TracePlaces {
  gatewayUrls: readonly string[]
  /** Where the pages are, if the system has any. */
  pagesUrl?: string
  /** One per process. */
  metricsUrls: readonly string[]
  storesAddress: string
  ordersAddress: string
  /** CALL_KEYS of the admin CLI. */
  adminCallKeys: string
  /** The certificate files of admin-tools in a system with TLS. */
  tls?: TlsConfig
  secretsFile: string
  natsUrl: string
  /** The name of the JetStream stream. */
  stream: string
}
