import { eventsOf, faultOf, operator, randomId, retryUnavailable } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()
const { storeId: _, ...withoutStore } = byPages(inStore())

/** The same store, as the pages call. */
function byPages(options: ReturnType<typeof inStore>) {
  return { ...options, actor: { type: ActorType.ANONYMOUS } }
}

async function aLink(options = inStore(), customerId?: string) {
  const customer =
    customerId ?? (await createTestCustomer(customers, options, { steamId: newSteamId(), metadata: { vip: '1' } })).id
  const request = { customerId: customer, expiresInSeconds: 3600, returnUrl: 'https://shop.example/me' }
  const { token = '' } = await customers.client.createPortalSession(request, options)
  return { options, customerId: customer, token }
}

async function aSession(options = inStore(), customerId?: string) {
  const link = await aLink(options, customerId)
  const { secret } = await exchange(link.token)
  return { ...link, secret }
}

const exchange = (token: string) => customers.client.exchangePortalToken({ token }, withoutStore)
const open = (secret: string, options: ReturnType<typeof inStore>) =>
  customers.client.getPortalCustomer({ secret }, byPages(options))

describe('ExchangePortalToken', () => {
  it('returns a secret that opens the session, and stores only its hash', async () => {
    const { options, customerId, token } = await aLink()
    const { secret, portalSession } = await exchange(token)
    expect(secret).toMatch(/^[a-z2-7]{28}$/)
    expect(portalSession).toMatchObject({ storeId: options.storeId, customerId, returnUrl: 'https://shop.example/me' })
    const opened = await open(secret, options)
    expect(opened).toMatchObject({ portalSession, customer: { id: customerId, metadata: {} } })
    const rows = await customers.database.query(sql`select s::text as text from portal_session s`)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(customers.logLines.join('\n')).not.toContain(secret)
  })

  it('accepts a token once, also when it is used concurrently', async () => {
    const { token } = await aLink()
    const uses = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(token)))
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await faultOf(exchange(token))).toMatchObject({ code: 'unauthorized' })
  })

  it.each(['', 'x', 'a'.repeat(28), 'x'.repeat(10_000)])('rejects the unknown token %#', async (token) => {
    expect(await faultOf(exchange(token))).toMatchObject({ code: 'unauthorized' })
  })

  it('rejects the token of an expired and of a revoked session', async () => {
    const expired = await aLink()
    await expire(expired.customerId)
    expect(await faultOf(exchange(expired.token))).toMatchObject({ code: 'unauthorized' })
    const revoked = await aLink()
    await customers.client.revokeTokens({ customerId: revoked.customerId }, revoked.options)
    expect(await faultOf(exchange(revoked.token))).toMatchObject({ code: 'unauthorized' })
  })
})

describe('GetPortalCustomer', () => {
  it('rejects a secret in another store, after expiry, and a link token in its place', async () => {
    const { options, secret, customerId } = await aSession()
    expect(await faultOf(open(secret, inStore()))).toMatchObject({ code: 'unauthorized' })
    const { token } = await aLink(options)
    expect(await faultOf(open(token, options))).toMatchObject({ code: 'unauthorized' })
    await expire(customerId)
    expect(await faultOf(open(secret, options))).toMatchObject({ code: 'unauthorized' })
  })

  it('rejects every session once the tokens of its customer or its store are revoked, and accepts later ones', async () => {
    const { options, secret, customerId } = await aSession()
    await customers.client.revokeTokens({ customerId }, options)
    expect(await faultOf(open(secret, options))).toMatchObject({ code: 'unauthorized' })
    const later = await aSession(options, customerId)
    await open(later.secret, options)
    await retryUnavailable(() => customers.client.revokeStoreTokens({}, operator({ storeId: options.storeId })))
    expect(await faultOf(open(later.secret, options))).toMatchObject({ code: 'unauthorized' })
    await open((await aSession(options, customerId)).secret, options)
  })
})

describe('SignOutOfPortal', () => {
  it('ends only its session', async () => {
    const { options, secret, customerId } = await aSession()
    const other = await aSession(options, customerId)
    await customers.client.signOutOfPortal({ secret, everywhere: false }, byPages(options))
    expect(await faultOf(open(secret, options))).toMatchObject({ code: 'unauthorized' })
    await open(other.secret, options)
  })

  it('ends, everywhere, every session and token of the customer, and no other', async () => {
    const { options, secret, customerId } = await aSession()
    const other = await aSession(options, customerId)
    const neighbor = await aSession(options)
    const { token } = await customers.client.mintToken({ customerId }, options)
    await customers.client.signOutOfPortal({ secret, everywhere: true }, byPages(options))
    for (const one of [secret, other.secret]) {
      expect(await faultOf(open(one, options))).toMatchObject({ code: 'unauthorized' })
    }
    expect(await faultOf(customers.client.verifyToken({ token }, options))).toMatchObject({ code: 'unauthorized' })
    await open(neighbor.secret, options)
    const events = await eventsOf(customers, customerId)
    expect(events.map(({ type }) => type)).toContain('customer.tokens_revoked')
    const repeated = customers.client.signOutOfPortal({ secret, everywhere: true }, byPages(options))
    expect(await faultOf(repeated)).toMatchObject({ code: 'unauthorized' })
  })

  it('rejects an unknown secret', async () => {
    const request = { secret: 'a'.repeat(28), everywhere: true }
    expect(await faultOf(customers.client.signOutOfPortal(request, byPages(inStore(randomId()))))).toMatchObject({
      code: 'unauthorized',
    })
  })
})

async function expire(customerId: string): Promise<void> {
  await customers.database.query(
    sql`update portal_session set expires_at = created_at + interval '1 ms' where customer_id = ${customerId}`,
  )
}
