import { setTimeout } from 'node:timers/promises'
import { errors, isFault, type Violation } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import type { Product } from '@storekeep/proto/checkout/v1/product'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import type { DeliveryItem } from '@storekeep/proto/delivery/v1/delivery_item'
import { type DeliveryItemDto, deliveryItemDto } from '@storekeep/records/delivery/delivery-item-dto'
import type { GatewayContext } from '../../context.ts'
import type { Reply } from '../../http/endpoint.ts'
import type { itemGrantMessage } from './item-grant.ts'
import { customersOf, findCustomers } from './item-query.ts'

/**
 * Hands out items. The delivery service checks customers and products with its copies of them, which events bring up to date. If it
 * does not know a record that exists, the event has not arrived yet, and the call is repeated.
 *
 * @param request.isSingle whether the caller's request is one grant, and not a list
 * @throws ServiceFault of the call; `service-unavailable` if the event does not arrive in time
 */
export async function grantItems(
  ctx: Pick<GatewayContext, 'deliveryItems' | 'customers' | 'products'>,
  request: { grants: Grant[]; isSingle: boolean },
  call: CallOptions,
): Promise<Reply<DeliveryItemDto[]>> {
  const grant = async () => (await ctx.deliveryItems.grantDeliveryItems(request, call)).items
  const items = await grant().catch(async (error: unknown) => {
    if (!isFault(error, 'validation-failed')) throw error
    const wrong = await withoutLateRecords(ctx, request.grants, error.violations, call)
    if (wrong.length > 0) throw errors.validationFailed(wrong)
    return await repeat(grant)
  })
  const known = await customersOf(ctx.customers, items, call)
  return { body: items.map((item) => deliveryItemDto(item, known)) }
}

async function repeat(grant: () => Promise<DeliveryItem[]>): Promise<DeliveryItem[]> {
  for (const delayMs of delaysMs) {
    await setTimeout(delayMs)
    try {
      return await grant()
    } catch (error) {
      if (!isFault(error, 'validation-failed')) throw error
    }
  }
  throw errors.unavailable(new Error('The event of a granted record has not arrived at the delivery service yet.'))
}

/** The violations, without unknown records that exist. A version of a product is found while it is the current one. */
async function withoutLateRecords(
  { customers, products }: Pick<GatewayContext, 'customers' | 'products'>,
  grants: readonly Grant[],
  violations: readonly Violation[],
  call: CallOptions,
): Promise<Violation[]> {
  const reported = violations.map((violation) => ({ violation, record: unknownRecord(violation, grants) }))
  const idsOf = (...fields: Field[]) => [
    ...new Set(reported.flatMap(({ record }) => (record && fields.includes(record.field) ? record.id : []))),
  ]
  const [existingCustomers, existingProducts] = await Promise.all([
    findCustomers(customers, idsOf('customer_id'), call),
    findProducts(products, idsOf('product_id', 'product_version_id'), call),
  ])
  const existing: Record<Field, Set<string>> = {
    customer_id: new Set(existingCustomers.map(({ id }) => id)),
    product_id: new Set(existingProducts.map(({ id }) => id)),
    product_version_id: new Set(existingProducts.map(({ versionId }) => versionId)),
  }
  return reported
    .filter(({ record }) => !record || !existing[record.field].has(record.id))
    .map(({ violation }) => violation)
}

/** The record that a violation reports as unknown. */
function unknownRecord({ path, validation }: Violation, grants: readonly Grant[]): UnknownRecord | undefined {
  const [, index = '0', field = ''] = /^(?:(\d+)[.])?(\w+)$/.exec(path) ?? []
  const grant = grants[Number(index)]
  if (validation !== 'reference' || !grant || !isField(field)) return undefined
  const id = { customer_id: grant.customerId, product_id: grant.productId, product_version_id: grant.productVersionId }[
    field
  ]
  return id === undefined ? undefined : { field, id }
}

/** @param ids at most 100, of products or of their current versions */
async function findProducts(
  products: GatewayContext['products'],
  ids: string[],
  call: CallOptions,
): Promise<Pick<Product, 'id' | 'versionId'>[]> {
  const found: Product[] = []
  // A page of large products is shorter than its limit.
  for (let hasNext = ids.length > 0; hasNext; ) {
    const page = present({ limit: pageLimits.max, after: found.at(-1)?.id })
    const response = await products.listProducts({ ids, page }, call)
    found.push(...response.products)
    hasNext = response.page?.hasNext ?? false
  }
  return found
}

type Grant = ReturnType<typeof itemGrantMessage>

const fields = ['customer_id', 'product_id', 'product_version_id'] as const
type Field = (typeof fields)[number]

function isField(name: string): name is Field {
  return fields.some((field) => field === name)
}

interface UnknownRecord {
  field: Field
  id: string
}

/** Events usually arrive within a tenth of a second. */
const delaysMs = [100, 200, 400, 800]
