import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { operator, randomId, requireEnv, until } from '@storekeep/common/testing'
import { createAuthority, mountCertificate } from '@storekeep/common/testing/certificates'
import type { RunningServer } from '@storekeep/local/infra'
import { RebuildState } from '@storekeep/proto/search/v1/search_service'
import { startPgBouncer } from '@storekeep/test/kit/servers'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { idsOf, inStore, live, useSearch } from '../../services/search/test/harness.ts'
import { own } from '../../services/search/test/records.ts'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-search-pooler-'))
let pooler: RunningServer | undefined
afterAll(async () => {
  await pooler?.stop()
  rmSync(folder, { recursive: true })
})

const search = useSearch({
  change: async (env) => {
    chmodSync(folder, 0o711)
    const { ca, issue } = await createAuthority()
    const files = mountCertificate(join(folder, 'certificate'), { ...(await issue(['localhost'])), ca }).config
    pooler = await startPgBouncer({
      dir: join(folder, 'pgbouncer'),
      serverUrl: requireEnv('TEST_DATABASE_ADMIN_URL'),
      parameters: 'sslmode=no-verify',
      settings: {
        client_tls_sslmode: 'require',
        client_tls_cert_file: files.certFile,
        client_tls_key_file: files.keyFile,
        default_pool_size: 5,
      },
    })
    const url = formatDatabaseUrl({
      ...parseDatabaseUrl(env.DATABASE_URL ?? ''),
      hosts: [{ host: 'localhost', port: pooler.port }],
      params: { sslmode: 'verify-full', sslrootcert: files.caFile },
    })
    return { ...env, DATABASE_URL: url }
  },
})

it('an index is built over TLS through PgBouncer in transaction mode, concurrently with writes', async () => {
  const before = await live(search)
  const storeId = randomId()
  const customer = own(search.owners, 'customer', storeId, { name: 'Robin' })
  const { rebuild } = await search.client.startRebuild({}, operator())
  const ended = await until(async () => {
    const { rebuild: now } = await search.client.getRebuild({ rebuildId: rebuild?.id ?? '' }, operator())
    return now?.state === RebuildState.RUNNING ? undefined : now
  })
  expect(ended.state).toBe(RebuildState.LIVE)
  const generation = await live(search)
  expect(generation).not.toBe(before)
  const indexes = await search.database.query(sql`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${`vocabulary_${generation}_grams`})`)
  expect(indexes).toEqual([{ valid: true }])
  expect(idsOf(await search.client.search({ query: 'rob' }, inStore(storeId)))).toEqual([customer.id])
})
