import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import { affiliateLinkKind } from './affiliate-link.ts'
import { banKind } from './ban.ts'
import { checkoutSessionKind } from './checkout-session.ts'
import { couponKind } from './coupon.ts'
import { customVariableKind } from './custom-variable.ts'
import { customerKind } from './customer.ts'
import type { Kind } from './kind.ts'
import { productKind } from './product.ts'

/** Every kind of record that is searched. A new one has the index built anew by itself. */
export const kinds: readonly Kind[] = [
  customerKind,
  banKind,
  couponKind,
  affiliateLinkKind,
  customVariableKind,
  checkoutSessionKind,
  productKind,
]

export function kindOf(type: SearchedRecord): Kind {
  const found = kinds.find((kind) => kind.type === type)
  if (!found) throw new Error(`no kind of record is called ${type}`)
  return found
}

export { type Kind, type KindEvent, type OwnerName, ownerNames } from './kind.ts'
