import { create } from '@bufbuild/protobuf'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { randomId, until } from '@storekeep/common/testing'
import { BanDeletedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { CheckoutSessionSchema, CustomerDetailsSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import { CustomerUpdatedSchema } from '@storekeep/proto/customers/v1/events'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsOf, idsOf, inStore, live, settled, useSearch } from './harness.ts'
import { index, own, publishAgain, publishNew, type RecordOf } from './records.ts'

const search = useSearch()
beforeAll(() => live(search))

/** The buyer's details in an event of a session. */
const noDetails = create(CustomerDetailsSchema)

const find = (storeId: string, query = '') => search.client.search({ query }, inStore(storeId))

describe('the index', () => {
  it('follows the updates of a record', async () => {
    const storeId = randomId()
    const customer = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    await settled(search)
    await publishAgain(search, 'customer', { ...customer, name: 'Marian', version: 2n }, CustomerUpdatedSchema)
    await settled(search)
    expect(idsOf(await find(storeId, 'robin'))).toEqual([])
    expect(idsOf(await find(storeId, 'marian'))).toEqual([customer.id])
  })

  it('contains and counts a record once, regardless of the order and number of its events', async () => {
    const storeId = randomId()
    const first = await publishNew(search, 'customer', storeId, { name: 'One' })
    for (const [version, name] of [
      [3n, 'Three'],
      [2n, 'Two'],
      [3n, 'Three'],
      [1n, 'One'],
    ] as const) {
      await publishAgain(search, 'customer', { ...first, name, version }, CustomerUpdatedSchema)
    }
    await settled(search)
    const response = await find(storeId)
    expect(response.results.map(({ record }) => (record.value as RecordOf<'customer'>).name)).toEqual(['Three'])
    expect(countsOf(response)).toEqual({ 1: 1 })
  })

  it('keeps a record that a rebuild wrote when an older event arrives', async () => {
    const storeId = randomId()
    const customer = own(search.owners, 'customer', storeId, { name: 'Marian', version: 2n })
    await index(search, await live(search), 'customer', customer)
    await publishAgain(search, 'customer', { ...customer, name: 'Robin', version: 1n })
    await settled(search)
    expect(idsOf(await find(storeId, 'robin'))).toEqual([])
    expect(idsOf(await find(storeId, 'marian'))).toEqual([customer.id])
  })

  it('does not restore a deleted record when a late event arrives', async () => {
    const storeId = randomId()
    const ban = await publishNew(search, 'ban', storeId, { reason: 'Fraud' })
    await publishAgain(search, 'ban', { ...ban, version: 3n }, BanDeletedSchema)
    await publishAgain(search, 'ban', { ...ban, reason: 'Fraud!', version: 2n }, BanUpdatedSchema)
    await settled(search)
    for (const query of ['', 'fraud', ban.id]) {
      const response = await find(storeId, query)
      expect([idsOf(response), countsOf(response)]).toEqual([[], {}])
    }
  })

  it('is unchanged after the stream was lost and all events were published again', async () => {
    const storeId = randomId()
    const kept = await publishNew(search, 'customer', storeId, { name: 'Robin' })
    const gone = await publishNew(search, 'ban', storeId, { reason: 'Robin' })
    await publishAgain(search, 'ban', { ...gone, version: 2n }, BanDeletedSchema)
    await settled(search)
    const nats = await connect({ servers: search.config.nats.url })
    const manager = await jetstreamManager(nats)
    await manager.streams.delete(search.config.events.stream)
    await expect
      .poll(async () => search.logLines.some((line) => line.includes('publishing them again')), { timeout: 60_000 })
      .toBe(true)
    const late = await publishNew(search, 'customer', storeId, { name: 'Robin the late' })
    await settled(search)
    await expect
      .poll(
        async () => {
          const { streams, consumers } = manager
          const { state } = await streams.info(search.config.events.stream)
          const { num_pending, num_ack_pending } = await consumers.info(search.config.events.stream, 'search-index')
          return state.messages > 0 && num_pending + num_ack_pending === 0
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    await nats.close()
    const response = await find(storeId, 'robin')
    expect(idsOf(response).sort()).toEqual([kept.id, late.id].sort())
    expect(countsOf(response)).toEqual({ 1: 2 })
  })

  it('reads the details of a session, which its event leaves out, from the owner', async () => {
    const storeId = randomId()
    const whole = own(search.owners, 'checkout_session', storeId, {
      customerDetails: { billingEmail: 'robin@example.org' },
      metadata: { order: 'first' },
    })
    await publishAgain(search, 'checkout_session', { ...whole, customerDetails: noDetails })
    await settled(search)
    const byEmail = () => search.client.search({ hints: { email: 'Robin@example.org' } }, inStore(storeId))
    expect(idsOf(await byEmail())).toEqual([whole.id])
    // The next event arrives late: the owner already has a newer version.
    search.owners.put('checkout_session', CheckoutSessionSchema, {
      ...whole,
      metadata: { order: 'third' },
      version: 3n,
    })
    await publishAgain(search, 'checkout_session', { ...whole, customerDetails: noDetails, version: 2n })
    await settled(search)
    expect(idsOf(await find(storeId, 'third'))).toEqual([whole.id])
    expect(idsOf(await byEmail())).toEqual([whole.id])
  })

  it('waits for the owner of a partial event without delaying others, and needs no owner for a whole one', async () => {
    const storeId = randomId()
    const customerDetails = { billingEmail: 'robin@example.org' }
    const partial = own(search.owners, 'checkout_session', storeId, { customerDetails })
    const whole = own(search.owners, 'checkout_session', storeId, { customerDetails })
    const byEmail = async () =>
      idsOf(await search.client.search({ hints: { email: 'robin@example.org' } }, inStore(storeId))).sort()
    search.owners.isUnavailable = true
    try {
      await publishAgain(search, 'checkout_session', { ...partial, customerDetails: noDetails })
      await publishAgain(search, 'checkout_session', whole)
      await until(async () => ((await byEmail()).includes(whole.id) ? true : undefined))
      expect(await byEmail()).toEqual([whole.id])
    } finally {
      search.owners.isUnavailable = false
    }
    await settled(search)
    expect(await byEmail()).toEqual([partial.id, whole.id].sort())
  })

  it('keeps document counts consistent with the documents', async () => {
    const [row] = await search.database.query<{ same: boolean }>(sql`
      select not exists (
        (select store_id, type, sum(count)::bigint from document_count group by 1, 2 having sum(count) <> 0)
        except
        (select store_id, type, count(*) from document_1 where not deleted group by 1, 2)
      ) as same`)
    expect(row?.same).toBe(true)
  })

  it('exports the time from a change until it can be searched', async () => {
    const text = await (await fetch(`http://127.0.0.1:${search.running.metricsPort}/metrics`)).text()
    expect(text).toMatch(/search_index_lag_seconds_count\{.*type="customer".*\} [1-9]/)
    expect(text).toContain('consumer_lag_events')
  })
})
