import { createMetrics } from '@storekeep/common/telemetry'
import { randomId, until } from '@storekeep/common/testing'
import { DeliveryStatus } from '@storekeep/proto/webhooks/v1/delivery'
import sql from 'sql-template-tag'
import { beforeAll, expect, it } from 'vitest'
import type { Sender } from '../src/adapters/send-request.ts'
import { makeAttempt } from '../src/deliveries/steps/make-attempt.ts'
import { createDeliveryMetrics } from '../src/deliveries/tasks/delivery-metrics.ts'
import {
  createBans,
  deliveriesOf,
  publishBans,
  receivedBy,
  type Subscribed,
  subscribe,
  useDeliveries,
} from './deliveries-harness.ts'
import { hang } from './receiver.ts'

// A lease lasts twice as long: longer than any wait of a test.
const timeoutMs = 60_000
const leaseMs = 2 * timeoutMs
const test = useDeliveries({ WEBHOOKS_TIMEOUT_MS: `${timeoutMs}` })
const { receiver } = test

// Created before the tests advance the clock: an endpoint receives only events from after its creation.
let endpoint: Subscribed
let other: Subscribed
let late: Subscribed
beforeAll(async () => {
  endpoint = await subscribe(test)
  other = await subscribe(test, { eventTypes: ['ban.updated'] }, endpoint.options)
  late = await subscribe(test)
})

it('a delivery is attempted again when its lease ends without a result, by the clock of the database only', async () => {
  receiver.behave(endpoint.path, hang)
  await createBans(test, endpoint.storeId, 1)
  await receivedBy(test, endpoint, 1)
  const [{ leasedUntil } = { leasedUntil: undefined }] = await test.database.query<{ leasedUntil: Date }>(
    sql`select due_at as "leasedUntil" from webhook_delivery where store_id = ${endpoint.storeId}`,
  )
  expect(Number(leasedUntil) - Date.now()).toBeLessThanOrEqual(leaseMs)

  test.clock.advance(10 * leaseMs)
  // The replica still claims and sends.
  await publishBans(test, endpoint.storeId, [{ id: randomId(), version: 2 }])
  await receivedBy(test, other, 1)
  const repeated = (id: string | undefined) => receiver.received(endpoint.path).filter((one) => one.id === id)
  const [first] = receiver.received(endpoint.path)
  expect(repeated(first?.id)).toHaveLength(1)

  await test.database.query(sql`update webhook_delivery set due_at = now() where store_id = ${endpoint.storeId}`)
  await test.database.query(sql`update webhook_queue set due_at = now() where store_id = ${endpoint.storeId}`)
  await until(async () => repeated(first?.id).length === 2 || undefined)
  receiver.release(endpoint.path)
  // The results of attempts that lost their leases have no effect.
  const ended = await deliveriesOf(test, endpoint, (all) => all.every((one) => one.status === DeliveryStatus.SUCCEEDED))
  expect(ended.map(({ attemptCount }) => attemptCount)).toEqual([1, 1])
})

it('an attempt that could outlast its lease is not started: the delivery is released and claimed again', async () => {
  await test.database.transaction(async (tx) => {
    await tx.query(sql`lock table webhook_secret in access exclusive mode`)
    await createBans(test, late.storeId, 1)
    // A claim has taken its leases and reads the secrets.
    await until(async () => {
      const waiting = await test.database.query(sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query like '%valid_until is null%'`)
      return waiting.length > 0 || undefined
    })
    test.clock.advance(timeoutMs + 1)
  })
  await receivedBy(test, late, 1)
  const [delivery] = await deliveriesOf(test, late, ([one]) => one?.status === DeliveryStatus.SUCCEEDED)
  expect([delivery?.attemptCount, receiver.received(late.path).length]).toEqual([1, 1])
})

it.each([
  { startBeforeMs: 999, requests: 0 },
  { startBeforeMs: 1000, requests: 1 },
])('an attempt sends $requests requests at 1000 ms that had to start before $startBeforeMs ms', async (given) => {
  const sent: string[] = []
  const outgoing: Sender = {
    async send({ url }) {
      sent.push(url)
      return { kind: 'response', status: 200, headers: {}, body: '', durationMs: 1 }
    },
    async close() {},
  }
  const ctx = {
    clock: { now: () => new Date(), monotonicMs: () => 1000 },
    attempts: { timeoutMs, leaseMs, maintenanceMs: 1000 },
    outgoing,
    random: () => 0.5,
    deliveryMetrics: createDeliveryMetrics(createMetrics({ service: 'webhooks', processMetrics: false })),
  }
  const delivery = {
    storeId: '1',
    id: '2',
    webhookEndpointId: '3',
    lease: 'a',
    attemptCount: 0,
    eventId: 'e',
    eventType: 'ping',
    payload: '{}',
    traceparent: null,
    occurredAt: new Date(),
    url: 'https://example.com',
    format: 'standard' as const,
    isFailing: false,
    secrets: [],
    headers: {},
    startBeforeMs: given.startBeforeMs,
  }
  const end = await makeAttempt(ctx, delivery, new AbortController().signal)
  expect([sent.length, end?.status]).toEqual([given.requests, given.requests === 1 ? 'succeeded' : undefined])
})
