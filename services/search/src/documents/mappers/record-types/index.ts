import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { affiliateLinkType } from './affiliate-link.ts'
import { banType } from './ban.ts'
import { checkoutSessionType } from './checkout-session.ts'
import { couponType } from './coupon.ts'
import { customVariableType } from './custom-variable.ts'
import { customerType } from './customer.ts'
import { deliveryItemType } from './delivery-item.ts'
import { orderType } from './order.ts'
import { productType } from './product.ts'
import type { RecordType } from './record-type.ts'
import { subscriptionType } from './subscription.ts'

/** All record types that can be searched. Adding one triggers a rebuild of the index. */
export const recordTypes: readonly RecordType[] = [
  customerType,
  banType,
  couponType,
  affiliateLinkType,
  customVariableType,
  checkoutSessionType,
  productType,
  orderType,
  deliveryItemType,
  subscriptionType,
]

export function recordTypeOf(type: SearchedRecord): RecordType {
  const found = recordTypes.find((one) => one.type === type)
  if (!found) throw new Error(`unknown record type ${type}`)
  return found
}

export { type OwnerName, ownerNames, type RecordEvent, type RecordType } from './record-type.ts'
