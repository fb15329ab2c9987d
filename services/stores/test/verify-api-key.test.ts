import { randomBytes } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { faultOf, operator, retryUnavailable } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { decodeApiKey, encodeApiKey } from '../src/api-keys/domain/api-key-codec.ts'
import { createTestStore, useStores } from './harness.ts'

const stores = useStores()
const verify = (key: string) => stores.client.verifyApiKey({ key }, operator())

async function aKey(change: { expiresAt?: Date; scopes?: string[] } = {}) {
  const { id: storeId } = await createTestStore(stores)
  const expiresAt = change.expiresAt && timestampFromDate(change.expiresAt)
  const request = { storeId, name: 'x', scopes: change.scopes ?? [], ...(expiresAt && { expiresAt }) }
  const { key, apiKey } = await stores.client.createApiKey(request, operator())
  return { key, id: apiKey?.id ?? '', storeId }
}

async function lastUse(id: string): Promise<Date | null> {
  const [row] = await stores.database.query<{ at: Date | null }>(
    sql`select last_used_at as at from api_key where id = ${id}`,
  )
  return row?.at ?? null
}

describe('VerifyApiKey', () => {
  it('returns the key id, store, scopes and expiry', async () => {
    const expiresAt = new Date(stores.clock.now().getTime() + 60_000)
    const { key, id, storeId } = await aKey({ expiresAt, scopes: ['bans:read'] })
    expect(await verify(key)).toMatchObject({
      keyId: id,
      storeId,
      scopes: ['bans:read'],
      expiresAt: timestampFromDate(expiresAt),
    })
  })

  it('returns the same error for every invalid key', async () => {
    const good = await aKey()
    const revoked = await aKey()
    await stores.client.revokeApiKey({ apiKeyId: revoked.id }, operator())
    const secret = decodeApiKey(good.key)?.secret ?? Buffer.alloc(0)
    const invalid = [
      '',
      'hello',
      'é\u0000',
      good.key.slice(0, -1),
      `${good.key} `,
      encodeApiKey(good.id, randomBytes(32)),
      encodeApiKey(revoked.id, secret),
      encodeApiKey('411486491630370816', secret),
      revoked.key,
    ]
    const faults = await Promise.all(invalid.map((key) => faultOf(verify(key))))
    for (const fault of faults) expect(fault).toMatchObject({ code: 'unauthorized', violations: [] })
    expect(new Set(faults.map((fault) => (fault as Error).message)).size).toBe(1)
    await verify(good.key)
  })

  it('rejects a key from the moment it expires', async () => {
    const { key } = await aKey({ expiresAt: new Date(stores.clock.now().getTime() + 60_000) })
    await verify(key)
    stores.clock.advance(60_000)
    expect(await faultOf(verify(key))).toMatchObject({ code: 'unauthorized' })
  })

  it('rejects a revoked key immediately, even while it is in use', async () => {
    const { key, id } = await aKey()
    let revoked = false
    const use = async () => {
      for (let calls = 0; calls < 40; calls += 1) {
        const begun = revoked
        const accepted = await verify(key).then(
          () => true,
          () => false,
        )
        if (begun) expect(accepted).toBe(false)
      }
    }
    const users = [use(), use(), use(), use()]
    await stores.client.revokeApiKey({ apiKeyId: id }, operator())
    revoked = true
    await Promise.all(users)
    expect(await faultOf(verify(key))).toMatchObject({ code: 'unauthorized' })
  })

  it('records the use of a key once a minute', async () => {
    const { key, id } = await aKey()
    await Promise.all(Array.from({ length: 16 }, () => retryUnavailable(() => verify(key))))
    await expect.poll(() => lastUse(id)).not.toBeNull()
    const first = await lastUse(id)
    stores.clock.advance(59_000)
    await verify(key)
    stores.clock.advance(2_000)
    await verify(key)
    await expect.poll(() => lastUse(id)).not.toEqual(first)
    const second = await lastUse(id)
    expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000)
  })

  it('does not record the use of a rejected key', async () => {
    const { id } = await aKey()
    await faultOf(verify(encodeApiKey(id, randomBytes(32))))
    expect(await lastUse(id)).toBeNull()
  })

  it('counts checks by outcome', async () => {
    const { key, id } = await aKey()
    await verify(key)
    await stores.client.revokeApiKey({ apiKeyId: id }, operator())
    await faultOf(verify(key))
    await faultOf(verify('hello'))
    const metrics = await (await fetch(`http://127.0.0.1:${stores.running.metricsPort}/metrics`)).text()
    for (const outcome of ['accepted', 'revoked', 'malformed']) {
      expect(metrics).toMatch(new RegExp(`^api_key_checks_total\\{[^}]*outcome="${outcome}"[^}]*\\} [1-9]`, 'm'))
    }
  })
})
