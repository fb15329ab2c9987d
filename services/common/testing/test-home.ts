import { randomBytes } from 'node:crypto'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { deriveCallKeys } from '../src/crypto/index.ts'
import { createLogger } from '../src/log/index.ts'
import type { MigratingService } from '../src/migrate/index.ts'
import { requireEnv } from './require-env.ts'
import { createTestDatabase } from './test-database.ts'
import { testCallSecret } from './test-identity.ts'

/**
 * Creates a database, a stream name and a Redis prefix that no other test uses, and the settings of a service that
 * uses them, on the servers that `npm test` starts.
 *
 * @param service a name leaves the migrations to the process under test; a service brings a migrated database
 * @param own the settings that only this service has
 */
export async function createTestHome(service: string | MigratingService, own: Env): Promise<TestHome> {
  const schema = typeof service === 'string' ? service : service.name
  const { name, urlOf, drop } = await createTestDatabase(
    [schema],
    typeof service === 'string' ? {} : { migrate: (url) => service.migrate({ url, cell: 0 }, silent) },
  )
  return {
    databaseUrl: urlOf(schema),
    env: {
      DATABASE_URL: urlOf(schema),
      NATS_URL: requireEnv('TEST_NATS_URL'),
      EVENTS_STREAM: name.toUpperCase(),
      REDIS_URL: requireEnv('TEST_REDIS_URL'),
      REDIS_KEY_PREFIX: `${name}:`,
      GRPC_PORT: '0',
      CALL_KEYS: deriveCallKeys(testCallSecret, schema as ServerName),
      ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
      ...own,
    },
    drop,
  }
}

const silent = createLogger({ service: 'test', level: 'silent' })

export type Env = Record<string, string>

export interface TestHome {
  /** Connects as the role of the service. */
  databaseUrl: string
  env: Env
  drop(): Promise<void>
}
