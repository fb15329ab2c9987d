import type { CallOptions } from '@storekeep/common/grpc'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { DeliveryItem } from '@storekeep/proto/delivery/v1/delivery_item'
import { type DeliveryItemDto, deliveryItemDto } from '@storekeep/records/delivery/delivery-item-dto'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { pageReply, type Reply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { queryFlag } from '../../schemas/query-flag.ts'

/** The query of every list of items. */
export const itemQuery = z.object({
  activeOnly: queryFlag('`true` returns only items that the customer owns: the usable and active ones.'),
  ...pageQuery,
})

/**
 * One page of items with their customers.
 * @param filter every given id must match
 */
export async function listItems(
  { deliveryItems, customers }: Pick<GatewayContext, 'deliveryItems' | 'customers'>,
  query: z.output<typeof itemQuery>,
  filter: { orderId?: string; customerId?: string; gameServerId?: string },
  call: CallOptions,
): Promise<Reply<DeliveryItemDto[]>> {
  const request = { page: pageRequest(query), activeOnly: query.activeOnly, ...filter }
  const { items, page } = await deliveryItems.listDeliveryItems(request, call)
  const known = await customersOf(customers, items, call)
  return pageReply(
    query,
    items.map((item) => deliveryItemDto(item, known)),
    page,
  )
}

/** The customers who receive or bought the items, by id, as far as they exist. */
export async function customersOf(
  customers: GatewayContext['customers'],
  items: readonly DeliveryItem[],
  call: CallOptions,
): Promise<ReadonlyMap<string, Customer>> {
  const ids = new Set(items.flatMap(({ customerId, orderCustomerId = customerId }) => [customerId, orderCustomerId]))
  const found = await findCustomers(customers, [...ids], call)
  return new Map(found.map((customer) => [customer.id, customer]))
}

/** The customers with these ids, as far as they exist. @param ids each once */
export async function findCustomers(
  customers: GatewayContext['customers'],
  ids: readonly string[],
  call: CallOptions,
): Promise<Customer[]> {
  const found: Customer[] = []
  for (let start = 0; start < ids.length; start += pageLimits.max) {
    const customerIds = ids.slice(start, start + pageLimits.max)
    const response = await customers.listCustomers({ page: { limit: customerIds.length }, customerIds }, call)
    found.push(...response.customers)
  }
  return found
}
