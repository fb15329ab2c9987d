import type { Limit } from '@storekeep/common/http'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { GatewayContext } from '../../context.ts'

/** Each line of a cart can cost calls of several services. */
export function cartLimits({ config }: GatewayContext, { customer }: { customer: Customer }): Limit[] {
  const { storeId, id } = customer
  return [{ policy: 'cart-customer', key: `${storeId}:${id}`, quota: config.limits.cartCustomerPerMinute }]
}
