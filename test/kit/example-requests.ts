import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fresh } from './fresh.ts'
import type { Operation } from './operations.ts'
import type { Shopper } from './shopper.ts'
import type { TestStore } from './test-store.ts'
import { waitFor } from './wait-for.ts'

/**
 * Creates requests that succeed in a store, from the examples in the OpenAPI document: unique fields get fresh values, and
 * ids are replaced by the ids of new records, created with the POST of their collection. Orders and their payments begin on the
 * checkout page, which `shopper` replaces.
 */
export function createExamples(operations: readonly Operation[], shopper: Shopper): Examples {
  /** The POST operation that creates the records identified by a path parameter. */
  function createOperationOf(parameter: string): Operation | undefined {
    const item = operations.find(({ template }) => template.startsWith(inStore) && template.includes(`/{${parameter}}`))
    const collection = item?.template.split(`/{${parameter}}`)[0]
    return operations.find(({ method, template }) => method === 'POST' && template === collection)
  }

  async function newChild(store: TestStore, parameter: string, parents: Ids = {}): Promise<string> {
    if (parameter === 'deliveryId') return await newDelivery(store, parents.webhookEndpointId)
    if (parameter === 'paymentId') return await newPayment(store)
    if (parameter === 'orderId') {
      const { body } = await store.post<{ order_id: string }>(`/payments/${await newPayment(store)}/mark-paid`)
      return body.order_id
    }
    if (parameter === 'emailId') return await newEmail(store, parents.orderId)
    if (parameter === 'subscriptionId') return await newSubscription(store)
    if (parameter === 'deliveryItemId') return await newDeliveryItem(store, parents.customerId)
    if (parameter === 'attemptId') return await newBlockedCommand(store)
    const operation = createOperationOf(parameter)
    if (!operation) throw new Error(`No documented operation creates a record for {${parameter}}.`)
    const path = operation.template.replace(inStore, '')
    const { status, text, body } = await store.post<{ id: string }>(path, await newBody(store, operation.bodyExample))
    if (status !== operation.success)
      throw new Error(`${operation.name} returned ${status} for its own example: ${text}`)
    return body.id
  }

  async function newDeliveryItem(store: TestStore, customerId?: string): Promise<string> {
    const item = await grantItem(
      store,
      customerId ?? (await newChild(store, 'customerId')),
      await newChild(store, 'productId'),
    )
    return item?.id ?? ''
  }

  /** A command that waits for an account of its customer. */
  async function newBlockedCommand(store: TestStore): Promise<string> {
    const content = 'give {customer.minecraft.uuid}'
    const product = await store.post<{ id: string }>('/products', {
      ...{ name: fresh.name(), price: 999, gameservers: [await newChild(store, 'gameServerId')] },
      commands: [{ stage: 'on_purchase', content, online_only: false }],
    })
    const customer = await store.post<{ id: string }>('/customers', { steam_id: fresh.steamId() })
    const item = await grantItem(store, customer.body.id, product.body.id)
    return item?.command_attempts[0]?.id ?? ''
  }

  /** An item without an order. The delivery service learns of a new product by its event. */
  async function grantItem(store: TestStore, customerId: string, product_id: string): Promise<GrantedItem | undefined> {
    const path = `/customers/${customerId}/delivery/items`
    let item: GrantedItem | undefined
    await waitFor('the product to be known to delivery', async () => {
      const { status, body } = await store.post<GrantedItem[]>(path, { product_id })
      if (status === 200) item = body[0]
      return item !== undefined
    })
    return item
  }

  async function newSubscription(store: TestStore): Promise<string> {
    await store.patch('/payment-settings', paymentSettings)
    const customer_id = await newChild(store, 'customerId')
    const terms = { allow_subscription: true, subscription_interval_value: 1, subscription_interval_scale: 'month' }
    const lines = [{ quantity: 1, subscription: true, inline_product: { name: 'VIP', price: 999, ...terms } }]
    const created = await store.post<{ url: string }>('/checkouts', { customer_id, lines })
    await shopper.pay(store.id, created.body.url)
    const { body } = await store.get<{ id: string }[]>(`/subscriptions?customer_id=${customer_id}`)
    if (!body[0]) throw new Error('A paid session with a subscription line has started no subscription.')
    return body[0].id
  }

  /** A delivery that has ended, so that it does not change while a test compares records. */
  async function newDelivery(store: TestStore, endpointId?: string): Promise<string> {
    const path = `/webhook-endpoints/${endpointId ?? (await newChild(store, 'webhookEndpointId'))}`
    const { body } = await store.post<{ id: string }>(`${path}/ping`)
    await waitFor('the delivery to succeed', async () => {
      const read = await store.get<{ status: string }>(`${path}/deliveries/${body.id}`)
      return read.body.status === 'succeeded'
    })
    return body.id
  }

  /** An email that has ended: example orders have no address. The emails service learns of a new order by its event. */
  async function newEmail(store: TestStore, orderId?: string): Promise<string> {
    const path = `/orders/${orderId ?? (await newChild(store, 'orderId'))}/emails`
    let ended: string | undefined
    await waitFor('the email of the order to end', async () => {
      const { body } = await store.get<{ id: string; status: string }[]>(path)
      ended = body.find(({ status }) => status !== 'pending')?.id
      return ended !== undefined
    })
    return ended ?? ''
  }

  /** A manual payment that waits for the store's staff. */
  async function newPayment(store: TestStore): Promise<string> {
    await store.patch('/payment-settings', paymentSettings)
    const operation = operations.find(({ name }) => name === 'POST /v1/stores/{storeId}/checkouts')
    const { body } = await store.post<{ url: string }>('/checkouts', await newBody(store, operation?.bodyExample))
    return await shopper.startManualPayment(store.id, body.url)
  }

  async function newBody(store: TestStore, example: unknown, field = ''): Promise<unknown> {
    if (Array.isArray(example)) return await Promise.all(example.map((item) => newBody(store, item, field)))
    if (typeof example === 'object' && example !== null) {
      const created = Object.entries(example).map(
        async ([name, value]) => [name, await newBody(store, value, name)] as const,
      )
      return Object.fromEntries(await Promise.all(created))
    }
    if (typeof example !== 'string') return example
    const parameter = parameterOf(field)
    return createOperationOf(parameter) ? await newChild(store, parameter) : ((await unique[field]?.()) ?? example)
  }

  function namesRecords(example: unknown, field = ''): boolean {
    if (typeof example === 'string') return createOperationOf(parameterOf(field)) !== undefined
    if (typeof example !== 'object' || example === null) return false
    return Object.entries(example).some(([name, value]) => namesRecords(value, Array.isArray(example) ? field : name))
  }

  /** Creates one record per path parameter, each inside the previous one. */
  async function newRecords(store: TestStore, parameters: readonly string[]): Promise<Ids> {
    const ids: Record<string, string> = {}
    for (const parameter of parameters) ids[parameter] = await newChild(store, parameter, ids)
    return ids
  }

  return {
    newChild,
    newBody: (store, operation) => newBody(store, operation.bodyExample),
    async newChildren(store, { children, template }) {
      const parameters = [...children, ...(queryOf[lastOf(template)] ?? []).map(([, parameter]) => parameter)]
      return await newRecords(store, parameters)
    },
    newRecords,
    namesRecords: (operation) => namesRecords(operation.bodyExample),
  }
}

interface GrantedItem {
  id: string
  command_attempts: { id: string }[]
}

const inStore = '/v1/stores/{storeId}'
const paymentSettings = { enabled_providers: ['manual', 'test'], manual_instructions: 'Pay at the desk.' }

/** The path of an operation in a store, with the query parameters that it requires. */
export function pathOf({ template }: Operation, storeId: string, ids: Ids): string {
  const path = template
    .replace('{storeId}', storeId)
    .replace(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? ids[aliases[parameter] ?? ''] ?? '')
  const named = (queryOf[lastOf(template)] ?? []).map(([name, parameter]) => `${name}=${ids[parameter]}`)
  const query = [...named, ...(fixedQueryOf[lastOf(template)] ?? [])]
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** The query parameters that paths with this last segment require, and the path parameters that name the same records. */
const queryOf: Readonly<Record<string, readonly [name: string, parameter: string][]>> = {
  lookup: [['id', 'customerId']],
}

/** Path parameters that accept the id that another one names. */
const aliases: Readonly<Record<string, string>> = { idOrSlug: 'productId' }

/** The other query parameters that paths with this last segment require. */
const fixedQueryOf: Readonly<Record<string, readonly string[]>> = {
  'tax-report': ['from=2026-01-01', 'to=2026-12-31'],
}

function lastOf(template: string): string {
  return template.slice(template.lastIndexOf('/') + 1)
}

/** The path parameter that a field corresponds to: `productId` for `product_id`. */
function parameterOf(field: string): string {
  const named = field.replace(/^(usable_by|gift_to)_/, '').replace(/_ids$/, '_id')
  return named.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Fields that are unique in a store. */
const unique: Readonly<Record<string, () => string | Promise<string>>> = {
  code: fresh.name,
  identifier: fresh.name,
  slug: fresh.name,
  steam_id: fresh.steamId,
  minecraft_uuid: fresh.uuid,
  xbox_xuid: fresh.xuid,
  // Endpoints in tests receive only pings, because other deliveries would change their records at any time.
  url: receiverUrl,
  event_types: () => 'store.updated',
}

/** A server that accepts every webhook, as long as the test process runs. */
async function receiverUrl(): Promise<string> {
  receiver ??= startReceiver()
  return await receiver
}

let receiver: Promise<string> | undefined

async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Ids by the name of their path parameter. */
export type Ids = Readonly<Record<string, string>>

interface Examples {
  /** Creates a record for a path parameter. @returns its id */
  newChild(store: TestStore, parameter: string): Promise<string>
  /** Creates a record for each path parameter. A delivery belongs to the endpoint before it. */
  newRecords(store: TestStore, parameters: readonly string[]): Promise<Ids>
  /** Creates records for all path parameters of an operation. */
  newChildren(store: TestStore, operation: Operation): Promise<Ids>
  /** A body that refers only to records of this store; undefined if the operation has no body. */
  newBody(store: TestStore, operation: Operation): Promise<unknown>
  /** Whether the body contains ids of records. */
  namesRecords(operation: Operation): boolean
}
