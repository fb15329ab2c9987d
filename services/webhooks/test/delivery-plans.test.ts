import { randomUUID } from 'node:crypto'
import type { Transaction } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { countInFlight, leaseDue, lockDueEndpoints, setQueuesDue } from '../src/deliveries/db/claim-repository.ts'
import { lockQueues, recordEnds, selectFailingSince } from '../src/deliveries/db/result-repository.ts'
import { preferIndexes, scheduleEvents, wakeQueues } from '../src/deliveries/db/schedule-repository.ts'
import type { EndpointRef } from '../src/deliveries/db/schema.ts'
import { bounds } from '../src/deliveries/domain/slots.ts'
import { useWebhooks } from './harness.ts'

const webhooks = useWebhooks()
const now = new Date()

it('a cycle reads no more rows as tables grow that were empty when its statements were planned', async () => {
  const rows = await webhooks.database.transaction(async (tx) => {
    await tx.query(sql`analyze webhook_event, webhook_delivery, webhook_attempt, webhook_queue, webhook_endpoint`)
    await preferIndexes(tx)
    const endpoint = await insertEndpoint(tx)
    // Postgres keeps the plans of a statement that has run more than five times.
    for (let n = 0; n < 8; n += 1) await runCycle(tx, endpoint, [n])
    await insertDelivered(tx, endpoint, 3000)
    await runCycle(
      tx,
      endpoint,
      Array.from({ length: 1000 }, (_, n) => n),
    )
    const before = await rowsRead(tx)
    await runCycle(tx, endpoint, [1])
    return (await rowsRead(tx)) - before
  })
  expect(rows).toBeLessThan(200)
})

/** Schedules events, starts as many attempts as an endpoint may have, and records their success. */
async function runCycle(tx: Transaction, endpoint: EndpointRef, resources: readonly number[]): Promise<void> {
  const events = resources.map((n) => ({
    storeId: endpoint.storeId,
    id: randomUUID(),
    type: 'ban.updated',
    resource: `ban ${n}`,
    payload: '{}',
    traceparent: undefined,
    occurredAt: now,
  }))
  await scheduleEvents(tx, events, now)
  const locked = await lockDueEndpoints(tx, now, 100)
  await countInFlight(tx, [endpoint.storeId], now)
  const allocations = locked.map((one) => ({
    endpoint: one,
    slots: bounds.perEndpoint,
    isDeferred: false,
    isFull: false,
  }))
  const leased = await leaseDue(tx, allocations, { now, leaseEnd: new Date(now.getTime() + 30_000) })
  await setQueuesDue(tx, allocations, { deferredUntil: now })
  const ends = leased.map(({ id, lease }) => ({
    ...endpoint,
    deliveryId: id,
    lease,
    url: 'https://example.com',
    status: 'succeeded' as const,
    nextAt: null,
    startedAt: now,
    durationMs: 1,
    requestHeaders: {},
    responseStatus: 200,
    responseHeaders: {},
    responseBody: '',
    error: null,
  }))
  await lockQueues(tx, ends)
  await recordEnds(tx, ends, now)
  await wakeQueues(tx, ends, now)
  await selectFailingSince(tx, ends)
}

async function insertEndpoint(tx: Transaction): Promise<EndpointRef> {
  const endpoint = { storeId: randomId(), webhookEndpointId: randomId() }
  await tx.query(sql`
    insert into webhook_endpoint (id, store_id, url, event_types, enabled, description, format, header_names, created_by,
      created_at, updated_at)
    values (${endpoint.webhookEndpointId}, ${endpoint.storeId}, 'https://example.com', '{*}', true, '', 'standard', '{}',
      'internal', ${now}, ${now})`)
  return endpoint
}

async function insertDelivered(tx: Transaction, endpoint: EndpointRef, count: number): Promise<void> {
  await tx.query(sql`
    with event as (
      insert into webhook_event (store_id, id, type, resource, payload, occurred_at, created_at)
      select ${endpoint.storeId}::bigint, gen_random_uuid(), 'ban.updated', 'ban ' || n, '{}', ${now}, ${now}
      from generate_series(1, ${count}::int) n returning *
    )
    insert into webhook_delivery (store_id, webhook_endpoint_id, event_id, event_type, resource, status, created_at)
    select store_id, ${endpoint.webhookEndpointId}::bigint, id, type, resource, 'succeeded', created_at from event`)
}

async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(sql`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where relname like 'webhook_%'`)
  return row?.rows ?? Number.NaN
}
