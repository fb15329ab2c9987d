import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Message } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { catalog, undelivered } from '@storekeep/records/events/catalog'
import type { EventType } from '@storekeep/records/events/define-event'
import {
  pingExample,
  pingPayload,
  renderEvent,
  renderPing,
  webhookEventTypeSchema,
} from '@storekeep/records/events/event-types'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../src/openapi/document.ts'
import { endpoints } from '../src/routes/index.ts'
import { affiliateLinksHandlers } from './fake-affiliate-links.ts'
import { bansHandlers } from './fake-bans.ts'
import { checkoutHandlers } from './fake-checkout.ts'
import { couponsHandlers } from './fake-coupons.ts'
import { customVariablesHandlers } from './fake-custom-variables.ts'
import { commandAttemptMessage, deliveryItemMessage, gameServersHandlers } from './fake-delivery.ts'
import { emailsHandlers } from './fake-emails.ts'
import { ordersHandlers, subscriptionsHandlers } from './fake-orders.ts'
import { productsHandlers } from './fake-products.ts'
import { customersHandlers, storesHandlers } from './fake-services.ts'
import { tagsHandlers } from './fake-tags.ts'
import { webhooksHandlers } from './fake-webhooks.ts'

const types: readonly EventType[] = catalog
const folder = fileURLToPath(new URL('../../proto/storekeep/', import.meta.url))
const protos = globSync('*/v1/events.proto', { cwd: folder }).map((path) => readFileSync(folder + path, 'utf8'))

/** The messages of a proto with the event type in their comment: `// ban.created` above `message BanCreated`. */
function messagesOf(proto: string): { message: string; type: string | undefined }[] {
  const name = /^package (\S+);/m.exec(proto)?.[1]
  return [...proto.matchAll(/((?:^\/\/.*\n)*)^message (\w+)/gm)].map(([, comment = '', message]) => ({
    message: `${name}.${message}`,
    type: /^\/\/ ([a-z_]+\.[a-z_]+)/.exec(comment)?.[1],
  }))
}

/** Messages that neither have an event type nor are excluded with a reason, or whose comment names another type. */
function uncovered(texts: readonly string[]): string[] {
  const known = new Map(types.map(({ message, type }) => [message.typeName, type]))
  return texts
    .flatMap(messagesOf)
    .filter(({ message, type }) => known.get(message) !== type && !undelivered.has(message))
    .map(({ message }) => message)
}

describe('the catalog of event types', () => {
  it('covers every message of all events.proto files, under the name in its comment', () => {
    expect(protos.length).toBeGreaterThan(6)
    expect(uncovered(protos)).toEqual([])
    const messages = protos.flatMap(messagesOf).map(({ message }) => message)
    expect(types.length + undelivered.size).toBe(messages.length)
    expect([...undelivered.values()].filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([])
  })

  it('does not cover a new message, or one whose comment names another type (negative control)', () => {
    const added =
      'package storekeep.bans.v1;\n// ban.lifted\nmessage BanLifted {\n}\n// ban.made\nmessage BanCreated {\n}'
    expect(uncovered([added])).toEqual(['storekeep.bans.v1.BanLifted', 'storekeep.bans.v1.BanCreated'])
  })

  it('has unique names of the form record.verb, which the schema accepts', () => {
    const names = types.map(({ type }) => type)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
    expect(webhookEventTypeSchema.options).toEqual(names)
  })
})

const storeId = '411486491596816384'
const id = '411486491630370816'
const actor = { type: ActorType.API_KEY, id: '411486491630370817' }

/** One value for each field of the messages, as the services return it. */
async function fields(): Promise<Record<string, unknown>> {
  const tables = { calls: [], overrides: {}, apiKeys: new Map(), tokens: new Map(), gameServerTokens: new Map() }
  const { getCustomer, createPortalSession } = customersHandlers(tables)
  const responses = await Promise.all([
    respond(getCustomer, { customerId: id }),
    respond(createPortalSession, { customerId: id, expiresInSeconds: 60 }),
    respond(storesHandlers(tables).getStore, {}),
    respond(bansHandlers().getBan, { banId: id }),
    respond(customVariablesHandlers().getCustomVariable, { customVariableId: id }),
    respond(couponsHandlers().getCoupon, { couponId: id }),
    respond(affiliateLinksHandlers().getAffiliateLink, { affiliateLinkId: id }),
    respond(productsHandlers().getProduct, { productId: id }),
    respond(tagsHandlers().getTag, { tagId: id }),
    respond(checkoutHandlers().getCheckoutSession, { checkoutId: id }),
    respond(ordersHandlers().getOrder, { orderId: id }),
    respond(ordersHandlers().createRefund, { orderId: id, lines: [] }),
    respond(emailsHandlers().resendEmail, { orderId: id, emailId: id }),
    respond(subscriptionsHandlers().getSubscription, { subscriptionId: id }),
    respond(webhooksHandlers().getWebhookEndpoint, { webhookEndpointId: id }),
    respond(gameServersHandlers(new Map()).getGameServer, { gameServerId: id }),
  ])
  const delivery = {
    item: deliveryItemMessage(id, { storeId }),
    attempt: commandAttemptMessage(id, { storeId }),
    customerId: id,
    gameServerId: id,
    joinedAt: timestampFromDate(new Date(0)),
  }
  return Object.assign(
    { deletedBy: actor, releasedBy: actor, orderId: id, tokenEpoch: 3, banCustomer: true, ...delivery },
    ...responses,
  )
}

function respond(handler: (request: never, call: never) => Promise<object>, request: object): Promise<object> {
  return handler(request as never, { storeId, actor } as never)
}

async function messageOf({ message }: EventType): Promise<Message> {
  const all = await fields()
  const init = message.fields.map(({ localName }) => {
    if (all[localName] === undefined) throw new Error(`${message.typeName}: add an example of ${localName}`)
    return [localName, all[localName]]
  })
  return create(message, Object.fromEntries(init))
}

describe.each(types)('$type', (eventType) => {
  it('has an example that its schema accepts', () => {
    expect(eventType.payload.parse(eventType.example)).toEqual(eventType.example)
    expect(eventType.description).toMatch(/^[A-Z].*\.$/)
  })

  it('renders its message as its schema declares', async () => {
    const time = new Date('2026-11-20T14:35:17.042Z')
    const change = { type: eventType.message.typeName, time, storeId, message: await messageOf(eventType) }
    const rendered = renderEvent(change)
    expect(rendered?.type).toBe(eventType.type)
    const payload = JSON.parse(rendered?.payload ?? '')
    expect(Object.keys(payload)).toEqual(['type', 'timestamp', 'data'])
    expect(payload).toMatchObject({ type: eventType.type, timestamp: '2026-11-20T14:35:17.042Z' })
    expect(eventType.payload.parse(payload)).toEqual(payload)
    expect(rendered?.payload).toContain(storeId)
    expect(Object.keys(payload.data).sort()).toEqual(Object.keys(eventType.example.data as object).sort())
  })

  it('rejects the message of another type', () => {
    const [other] = types.filter(({ message }) => message !== eventType.message)
    if (!other) throw new Error('There is only one type.')
    expect(() => eventType.dataOf(create(other.message), storeId)).toThrow('is not the message of')
  })
})

describe('payloads', () => {
  const rendered = async (type: string) => {
    const eventType = types.find((one) => one.type === type)
    if (!eventType) throw new Error(`${type} is not in the catalog.`)
    const message = await messageOf(eventType)
    const change = { type: eventType.message.typeName, time: new Date(0), storeId, message }
    return JSON.parse(renderEvent(change)?.payload ?? '').data
  }

  it('name who deleted a record', async () => {
    expect(await rendered('coupon.deleted')).toMatchObject({ id, deleted_by: { type: 'api_key', id: actor.id } })
  })

  it('contain the refund of an order and the order of a renewal', async () => {
    expect(await rendered('order.refunded')).toMatchObject({ id, refund: { order_id: id, amount: 1998 } })
    expect(await rendered('subscription.renewed')).toMatchObject({ id, order_id: id })
  })

  it('contain no secret of a portal session', async () => {
    expect(Object.keys(await rendered('portal_session.created'))).not.toEqual(expect.arrayContaining(['token']))
    expect(Object.keys(await rendered('portal_session.created'))).not.toEqual(expect.arrayContaining(['url']))
  })

  it('are not rendered for messages that no endpoint receives', async () => {
    for (const type of undelivered.keys()) {
      const message = { $typeName: type } as Message
      expect(renderEvent({ type, time: new Date(0), storeId, message })).toBeUndefined()
    }
  })

  it('test an endpoint with a ping that its schema accepts', () => {
    const ping = JSON.parse(renderPing(new Date(0), storeId, id))
    expect(pingPayload.parse(ping)).toEqual(ping)
    expect(ping.data).toEqual({ store_id: storeId, webhook_endpoint_id: id })
    expect(pingPayload.parse(pingExample)).toEqual(pingExample)
  })
})

describe('the section webhooks of the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(describeApi(endpoints)))

  it('describes the request of each event type with its payload, which WebhookEvent lists', () => {
    const names = types.map(({ payload }) => payload.meta()?.id)
    expect(Object.keys(document.webhooks)).toEqual([...types.map(({ type }) => type), 'ping'])
    for (const [index, { type, example }] of types.entries()) {
      expect(document.webhooks[type].post.requestBody.content['application/json']).toEqual({
        schema: { $ref: `#/components/schemas/${names[index]}` },
        example,
      })
      expect(document.components.schemas[names[index] ?? ''].properties.type.const).toBe(type)
    }
    const { oneOf, discriminator } = document.components.schemas.WebhookEvent
    const references = ['PingEvent', ...names].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    expect(oneOf).toEqual(references)
    expect(discriminator.propertyName).toBe('type')
    expect(document.components.schemas.WebhookEventType.enum).toEqual(types.map(({ type }) => type))
  })

  it('refers only to components that exist, and to none twice', () => {
    const names = new Set(Object.keys(document.components.schemas))
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
    expect(references.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([])
    expect([...names].filter((name) => names.has(`${name}Output`))).toEqual([])
  })
})
