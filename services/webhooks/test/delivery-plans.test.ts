import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { createWakeSignal, type EventEnvelope } from '@storekeep/common/events'
import { createLogger } from '@storekeep/common/log'
import { timestampFromDate } from '@storekeep/common/message'
import { planPage } from '@storekeep/common/page'
import type { Database, Transaction } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import { BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { selectPage } from '../src/deliveries/db/delivery-repository.ts'
import { readBacklog } from '../src/deliveries/db/maintenance-repository.ts'
import type { AttemptEnd } from '../src/deliveries/db/result-repository.ts'
import type { EndpointRef } from '../src/deliveries/db/schema.ts'
import type { ResendRange } from '../src/deliveries/domain/resend-range.ts'
import { onEvents } from '../src/deliveries/events/on-events.ts'
import { chooseDeliveries } from '../src/deliveries/steps/choose-deliveries.ts'
import { claimDeliveries, type PreparedDelivery } from '../src/deliveries/steps/claim-deliveries.ts'
import { recordAttempts } from '../src/deliveries/steps/record-attempts.ts'
import { releaseDeliveries } from '../src/deliveries/steps/release-deliveries.ts'
import { insertSecret } from '../src/endpoints/db/secret-repository.ts'
import { useWebhooks } from './harness.ts'

const webhooks = useWebhooks()
const now = new Date()

it('every step reads no more rows as tables grow that were empty when its statements were planned', async () => {
  const rows = await inRolledBack(async (tx) => {
    await tx.query(sql`analyze webhook_event, webhook_delivery, webhook_attempt, webhook_queue, webhook_endpoint`)
    const steps = stepsOf(tx, await insertEndpoint(tx))
    // Postgres keeps the plans of a statement that has run more than five times.
    for (let n = 0; n < 8; n += 1) await steps.all([n])
    await insertDelivered(tx, steps.endpoint, 3000)
    await tx.query(sql`
      update webhook_delivery set status = 'failed' where id in (select id from webhook_delivery order by id limit 20)`)
    await steps.all(Array.from({ length: 1000 }, (_, n) => n))
    return await steps.all([1])
  })
  const excessive = Object.entries(rows).filter(([, count]) => !(count < 300))
  expect(excessive).toEqual([])
})

it('resending part of a range reads only part of the deliveries, and the rest of it later', async () => {
  const count = 20_000
  const found = await inRolledBack(async (tx) => {
    const endpoint = await insertEndpoint(tx)
    await insertDelivered(tx, endpoint, count)
    const { database } = stepsOf(tx, endpoint)
    const choose = async (fields: Partial<ResendRange>) => {
      const before = await rowsRead(tx)
      const range = {
        since: hours(-1),
        until: hours(1),
        eventTypes: [],
        onlyFailed: false,
        after: undefined,
        ...fields,
      }
      const { chosen, continueAfter } = await chooseDeliveries({ database }, call, endpoint, range, limits)
      return { chosen: chosen.length, continueAfter, rows: (await rowsRead(tx)) - before }
    }
    const first = await choose({})
    const second = await choose({ after: first.continueAfter ?? '' })
    // Only the last one has failed.
    await tx.query(sql`
      update webhook_delivery set status = 'failed' where store_id = ${endpoint.storeId} and id = (
        select max(id) from webhook_delivery where store_id = ${endpoint.storeId})`)
    const failed = await choose({ onlyFailed: true })
    const nothing = await choose({ eventTypes: ['ban.deleted'] })
    return { first, second, failed, nothing }
  })
  expect(found.first.chosen).toBe(500)
  expect(found.second.chosen).toBe(500)
  expect(BigInt(found.second.continueAfter ?? 0)).toBeGreaterThan(BigInt(found.first.continueAfter ?? 0))
  expect(found.failed).toMatchObject({ chosen: 1, continueAfter: null })
  // Each delivery of a page with two lookups.
  for (const { rows } of [found.first, found.second, found.failed]) expect(rows).toBeLessThan(4 * limits.pageSize)
  // What matches nothing is read in parts as well.
  expect(found.nothing).toMatchObject({ chosen: 0, continueAfter: expect.any(String) })
  expect(found.nothing.rows).toBeLessThan(2 * limits.pageSize * limits.maxPages)
})

it.each(['unknown', 'from before any was pending or failed, or had another type'])(
  'a list reads only the deliveries of its page, regardless of the filter and with statistics %s',
  async (statistics) => {
    const lists = await inRolledBack(async (tx) => {
      const endpoint = await insertEndpoint(tx)
      const other = { ...endpoint, webhookEndpointId: randomId() }
      await insertDelivered(tx, endpoint, 10_000)
      if (statistics !== 'unknown') await tx.query(sql`analyze webhook_delivery`)
      await insertDelivered(tx, other, 3000)
      // The oldest deliveries, which a list in their order would find last.
      const oldest = (count: number) => sql`store_id = ${endpoint.storeId} and id in (
      select id from webhook_delivery where webhook_endpoint_id = ${endpoint.webhookEndpointId} order by id limit ${count})`
      await tx.query(sql`update webhook_delivery set status = 'failed', event_type = 'ban.created' where ${oldest(4)}`)
      await tx.query(sql`update webhook_delivery set status = 'pending', due_at = now() where ${oldest(2)}`)
      const found: Record<string, { found: number; rows: number }> = {}
      for (const status of [undefined, 'pending', 'failed', 'succeeded'] as const) {
        for (const eventType of [undefined, 'ban.created', 'ban.deleted']) {
          const { database } = stepsOf(tx, endpoint)
          const list = () =>
            database.transaction((inner) =>
              selectPage(inner, endpoint, { status, eventType }, planPage({ limit: 10, asc: false })),
            )
          for (let n = 0; n < 8; n += 1) await list()
          const before = await rowsRead(tx)
          const page = await list()
          found[`${status} ${eventType}`] = { found: page.length, rows: (await rowsRead(tx)) - before }
        }
      }
      return found
    })
    const counts = Object.fromEntries(Object.entries(lists).map(([filter, { found }]) => [filter, found]))
    expect(counts).toEqual({
      'undefined undefined': 11,
      'undefined ban.created': 4,
      'undefined ban.deleted': 0,
      'pending undefined': 2,
      'pending ban.created': 2,
      'pending ban.deleted': 0,
      'failed undefined': 2,
      'failed ban.created': 2,
      'failed ban.deleted': 0,
      'succeeded undefined': 11,
      'succeeded ban.created': 0,
      'succeeded ban.deleted': 0,
    })
    expect(Object.entries(lists).filter(([, { rows }]) => !(rows < 40))).toEqual([])
  },
)

it('measuring what waits reads only endpoints that fail', async () => {
  const { failing, rows } = await inRolledBack(async (tx) => {
    for (let n = 0; n < 2; n += 1) await insertEndpoint(tx)
    await tx.query(sql`update webhook_endpoint set failing_since = now()`)
    await tx.query(sql`
      insert into webhook_endpoint (id, store_id, url, event_types, enabled, description, format, header_names, created_by,
        created_at, updated_at)
      select n, n, 'https://example.com', '{*}', true, '', 'standard', '{}', 'internal', ${now}, ${now}
      from generate_series(1, 3000) n`)
    await tx.query(sql`analyze webhook_endpoint`)
    const before = await rowsRead(tx)
    const backlog = await readBacklog(tx)
    return { failing: backlog.failing, rows: (await rowsRead(tx)) - before }
  })
  expect(failing).toBe(2)
  expect(rows).toBeLessThan(20)
})

const limits = { pageSize: 2000, maxPages: 3 }

/** Runs `work` in a transaction that leaves the tables as empty as they were. */
async function inRolledBack<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  const rollBack = new Error('rolls back')
  const transaction = webhooks.database.transaction(async (tx) => {
    result = { value: await work(tx) }
    throw rollBack
  })
  await transaction.catch((error: unknown) => {
    if (error !== rollBack) throw error
  })
  if (!result) throw new Error('the transaction did no work')
  return result.value
}

/** The steps that send deliveries, in one transaction, each with the settings of a new one. */
function stepsOf(tx: Transaction, endpoint: EndpointRef) {
  const database: Pick<Database, 'transaction'> = {
    async transaction(work) {
      await tx.query(sql`
        select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
          set_config('enable_mergejoin', 'on', true), set_config('enable_material', 'on', true),
          set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true)`)
      return await work(tx)
    },
  }
  const { clock, config } = webhooks
  const attempts = { timeoutMs: 15_000, leaseMs: 30_000, maintenanceMs: 60_000 }
  const ctx = {
    database,
    clock,
    attempts,
    secrets: config.secrets,
    log: createLogger({ service: 'test', level: 'silent' }),
  }
  const consumer = onEvents({ database: webhooks.database, deliverySignal: createWakeSignal() })
  const counted = async <T>(step: () => Promise<T>) => {
    const before = await rowsRead(tx)
    const result = await step()
    return { result, rows: (await rowsRead(tx)) - before }
  }
  return {
    endpoint,
    database,
    /** Schedules events, claims as many as an endpoint may have, releases one, records the success of the others, and reads a range. */
    async all(resources: readonly number[]) {
      const events = resources.map((n) => banUpdated(endpoint.storeId, n))
      const schedule = await counted(() => database.transaction((inner) => consumer.apply(inner, events)))
      const claim = await counted(() => claimDeliveries(ctx, { all: 200, forFailing: 100, inFlightByStore: new Map() }))
      const [last, ...others] = claim.result.prepared
      const release = await counted(() => releaseDeliveries(ctx, last ? [last] : []))
      const record = await counted(() => recordAttempts(ctx, others.map(succeeded)))
      const range = { since: hours(-1), until: hours(1), eventTypes: [], onlyFailed: true, after: undefined }
      const resend = await counted(() => chooseDeliveries(ctx, call, endpoint, range))
      return {
        schedule: schedule.rows,
        claim: claim.rows,
        release: release.rows,
        record: record.rows,
        resend: resend.rows,
      }
    },
  }
}

const call = { remainingMs: () => 60_000, signal: new AbortController().signal }

function hours(offset: number): Date {
  return new Date(Date.now() + offset * 3_600_000)
}

function banUpdated(storeId: string, n: number): EventEnvelope {
  const id = String(n + 1)
  const created = { createdAt: timestampFromDate(now), createdBy: { type: ActorType.INTERNAL } }
  return {
    id: randomUUID(),
    subject: 'events',
    type: BanUpdatedSchema.typeName,
    aggregate: 'ban',
    aggregateId: id,
    aggregateVersion: '2',
    storeId,
    time: now,
    traceparent: undefined,
    message: create(BanUpdatedSchema, { ban: { id, storeId, version: 2n, ...created } }),
  }
}

function succeeded(delivery: PreparedDelivery): AttemptEnd {
  return {
    storeId: delivery.storeId,
    webhookEndpointId: delivery.webhookEndpointId,
    deliveryId: delivery.id,
    lease: delivery.lease,
    url: delivery.url,
    status: 'succeeded',
    delayMs: null,
    startedAt: now,
    durationMs: 1,
    requestHeaders: {},
    responseStatus: 200,
    responseHeaders: {},
    responseBody: '',
    error: null,
  }
}

async function insertEndpoint(tx: Transaction): Promise<EndpointRef> {
  const [storeId, id] = [randomId(), randomId()]
  await tx.query(sql`
    insert into webhook_endpoint (id, store_id, url, event_types, enabled, description, format, header_names, created_by,
      created_at, updated_at)
    values (${id}, ${storeId}, 'https://example.com', '{*}', true, '', 'standard', '{}', 'internal', ${now}, ${now})`)
  await insertSecret(tx, webhooks.config.secrets, { storeId, id }, { id: randomId(), text: 'whsec_' })
  return { storeId, webhookEndpointId: id }
}

async function insertDelivered(
  tx: Transaction,
  { storeId, webhookEndpointId }: EndpointRef,
  count: number,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_queue (store_id, webhook_endpoint_id) select ${storeId}::bigint, n from generate_series(1, 3000) n
    on conflict do nothing`)
  // In parts that a busy machine inserts within the time limit of a statement.
  for (let left = count; left > 0; left -= 5000) {
    await tx.query(sql`
      with event as (
        insert into webhook_event (store_id, id, type, resource, payload, occurred_at, created_at)
        select ${storeId}::bigint, gen_random_uuid(), 'ban.updated', 'ban ' || n, '{}', ${now}, ${now}
        from generate_series(1, ${Math.min(left, 5000)}::int) n returning *
      )
      insert into webhook_delivery (store_id, webhook_endpoint_id, event_id, event_type, resource, status, created_at)
      select store_id, ${webhookEndpointId}::bigint, id, type, resource, 'succeeded', created_at from event`)
  }
}

async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(sql`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where relname like 'webhook_%'`)
  return row?.rows ?? Number.NaN
}
