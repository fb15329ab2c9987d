import type { EnvReader } from './env.ts'
import { parseServerUrl, type ServerUrl } from './server-url.ts'

/** Reads the address of NATS and how to authenticate there. */
export function readNatsConfig(env: EnvReader): NatsConfig {
  return {
    url: env.serverUrl('NATS_URL', parseNatsUrl),
    credsFile: env.optional('NATS_CREDS_FILE'),
    nkeyFile: env.optional('NATS_NKEY_FILE'),
    tls: {
      caFile: env.optional('NATS_TLS_CA_FILE'),
      certFile: env.optional('NATS_TLS_CERT_FILE'),
      keyFile: env.optional('NATS_TLS_KEY_FILE'),
    },
  }
}

/** See `parseServerUrl`. */
export function parseNatsUrl(text: string): ServerUrl<'nats' | 'tls'> {
  return parseServerUrl(text, { nats: 4222, tls: 4222 })
}

export interface NatsConfig {
  /** `nats://user:password@a:4222,b:4222`, `nats://token@…`, `tls://…`; see `parseServerUrl`. */
  url: string
  /** File with a JWT and the seed of its NKey, as `nsc generate creds` writes it. */
  credsFile?: string | undefined
  /** File with the seed of an NKey. */
  nkeyFile?: string | undefined
  /** Files with the certificates of the authorities that NATS is verified with, and the certificate of the client. */
  tls?: { caFile?: string | undefined; certFile?: string | undefined; keyFile?: string | undefined }
}
