import { createHash } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { eventsOf, faultOf, randomId, violationsOf, withKey } from '@storekeep/common/testing'
import type { CreatePortalSessionRequestSchema } from '@storekeep/proto/customers/v1/customers_service'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()

async function open(change: MessageInitShape<typeof CreatePortalSessionRequestSchema>, options = inStore()) {
  const { id: customerId } = await createTestCustomer(customers, inStore(options.storeId))
  const request = { customerId, expiresInSeconds: 3600, ...change }
  return { request, ...(await customers.client.createPortalSession(request, options)) }
}

describe('CreatePortalSession', () => {
  it('creates a link whose token is stored only as a hash', async () => {
    const options = inStore()
    const {
      request,
      portalSession: session,
      token,
      url,
    } = await open({ returnUrl: 'https://shop.example/me?x=1' }, options)
    expect(token).toMatch(/^[a-z2-7]{28}$/)
    expect(url).toBe(`https://portal.example/?t=${token}`)
    expect(session).toMatchObject({
      storeId: options.storeId,
      customerId: request.customerId,
      returnUrl: 'https://shop.example/me?x=1',
    })
    expect(session?.flow).toBeUndefined()
    if (!session?.createdAt || !session.expiresAt) throw new Error('the session has no timestamps')
    expect(timestampMs(session.expiresAt) - timestampMs(session.createdAt)).toBe(3_600_000)
    const rows = await customers.database.query(
      sql`select token_hash, ps::text as text from portal_session ps where id = ${session.id}`,
    )
    expect(rows).toMatchObject([{ token_hash: createHash('sha256').update(token).digest() }])
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(customers.logLines.join('\n')).not.toContain(token)
  })

  it.each(['subscriptionCancel', 'subscriptionPaymentMethodUpdate'] as const)('stores the flow %s', async (kind) => {
    const flow = { case: kind, value: { subscriptionId: '411486491630370816' } }
    const { portalSession } = await open({ flow: { flow } })
    expect(portalSession?.flow?.flow).toMatchObject(flow)
  })

  it('accepts lifetimes from one minute to seven days', async () => {
    await open({ expiresInSeconds: 60 })
    await open({ expiresInSeconds: 604_800 })
    expect(await violationsOf(open({ expiresInSeconds: 59 }))).toEqual(['expires_in min'])
    expect(await violationsOf(open({ expiresInSeconds: 604_801 }))).toEqual(['expires_in max'])
  })

  it.each([
    '',
    'shop.example',
    '/me',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'https://user@shop.example/',
    'https://user:pass@shop.example/',
    'https://',
    'https://shop.example\\@evil.example/',
    'https://shop.example/\n',
    ` https://shop.example/`,
  ])('rejects the return_url %j', async (returnUrl) => {
    expect(await violationsOf(open({ returnUrl }))).toEqual(['return_url format'])
  })

  it('rejects a return_url that is too long', async () => {
    const returnUrl = `https://shop.example/${'x'.repeat(2048)}`
    expect(await violationsOf(open({ returnUrl }))).toEqual(['return_url length'])
  })

  it('reports every invalid field', async () => {
    const flow = { case: 'subscriptionCancel', value: { subscriptionId: 'x' } } as const
    expect(await violationsOf(open({ flow: { flow }, expiresInSeconds: 1, returnUrl: 'x' }))).toEqual([
      'flow.subscription_cancel.subscription_id format',
      'expires_in min',
      'return_url format',
    ])
  })

  it('returns not-found for a customer of another store and for an unknown id', async () => {
    const { id } = await createTestCustomer(customers, inStore())
    expect(await faultOf(open({ customerId: id }))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(open({ customerId: randomId() }))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(open({ customerId: 'x' }))).toEqual(['customer_id format'])
  })

  it('returns the same token for a repeated key and a new one otherwise', async () => {
    const options = withKey(inStore())
    const { request, $typeName, $unknown, ...first } = await open({}, options)
    expect(await customers.client.createPortalSession(request, options)).toMatchObject(first)
    const next = await customers.client.createPortalSession(request, inStore(options.storeId))
    expect(next.token).not.toBe(first.token)
    const stored = await customers.database.query<{ response: Buffer }>(sql`select response from idempotency_record`)
    for (const { response } of stored) expect(response.includes(first.token)).toBe(false)
  })

  it('publishes the session without its token', async () => {
    const { portalSession, token } = await open({})
    const events = await eventsOf(customers, portalSession?.id)
    expect(events).toMatchObject([{ type: 'portal_session.created', version: '1', message: { portalSession } }])
    const [row] = await customers.database.query<{ payload: Buffer }>(
      sql`select payload from outbox where aggregate_id = ${portalSession?.id}`,
    )
    expect(row?.payload.includes(token)).toBe(false)
  })
})
