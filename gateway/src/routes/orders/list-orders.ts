import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { orderDto, orderDtoSchema, orderExample } from '@storekeep/records/orders/order-dto'
import { orderStatus, orderStatusValues } from '@storekeep/records/orders/order-enums'
import { emailAddress, flakeId } from '@storekeep/records/schemas/fields'
import { timeQuery } from '@storekeep/records/schemas/times'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listOrders = endpoint({
  operationId: 'listOrders',
  tag: 'Orders',
  summary: 'List orders',
  description: 'Returns orders page by page. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/orders',
  auth: 'api-key',
  scope: 'orders:read',
  query: z.object({
    status: orderStatus.optional().meta({ description: 'Returns only orders in this state.' }),
    customer_id: flakeId.optional().meta({ description: 'Returns only orders of this customer.' }),
    billing_email: emailAddress
      .optional()
      .meta({ description: 'Returns only orders with this email address. Case-insensitive.' }),
    checkout_id: flakeId.optional().meta({
      description:
        'Returns only orders of this checkout session: its own, and the renewals of the subscription that it started.',
    }),
    subscription_id: flakeId.optional().meta({ description: 'Returns only orders of this subscription.' }),
    created_after: timeQuery.optional().meta({ description: 'Returns only orders created at this time or later.' }),
    created_before: timeQuery.optional().meta({ description: 'Returns only orders created before this time.' }),
    ...pageQuery,
  }),
  success: {
    status: 200,
    description: 'One page of orders.',
    schema: z.array(orderDtoSchema),
    example: [orderExample],
  },
  async handle({ orders }, { query, call }) {
    const { status, customer_id, billing_email, checkout_id, subscription_id, created_after, created_before } = query
    const request = {
      page: pageRequest(query),
      ...(status && { status: orderStatusValues[status] }),
      ...(customer_id && { customerId: customer_id }),
      ...(billing_email && { billingEmail: billing_email }),
      ...(checkout_id && { checkoutId: checkout_id }),
      ...(subscription_id && { subscriptionId: subscription_id }),
      ...(created_after && { createdAfter: timestampFromDate(created_after) }),
      ...(created_before && { createdBefore: timestampFromDate(created_before) }),
    }
    const response = await orders.listOrders(request, call)
    return pageReply(query, response.orders.map(orderDto), response.page)
  },
})
