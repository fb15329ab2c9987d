import { endpoint } from '../../http/endpoint.ts'
import { orderPath } from '../orders/order-path.ts'
import { ownOrderDto, ownOrderDtoSchema, ownOrderExample } from './own-order-dto.ts'
import { assertVerified, requireOwn, verifiedText } from './own-records.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getOwnOrder = endpoint({
  operationId: 'getOwnOrder',
  tag: 'Storefront',
  summary: 'Get an order of the signed-in customer',
  description: `Returns one order of the customer of the token by its id. ${verifiedText}`,
  method: 'get',
  path: '/v1/store/customer/orders/{orderId}',
  auth: 'customer',
  headers: storefrontHeaders,
  params: orderPath,
  success: { status: 200, description: 'The order.', schema: ownOrderDtoSchema, example: ownOrderExample },
  async handle({ orders }, { customer, params, call }) {
    assertVerified(customer)
    const { order } = await orders.getOrder({ orderId: params.orderId }, call)
    return { body: ownOrderDto(requireOwn(order, customer, 'order')) }
  },
})
