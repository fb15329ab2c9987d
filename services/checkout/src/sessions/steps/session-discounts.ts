import type { AppContext } from '../../context.ts'
import { findProducts, type ProductRow } from '../../products/db/product-repository.ts'
import type { SessionRow } from '../db/schema.ts'
import { linesOfSession } from '../domain/discountable-lines.ts'
import { type Discounts, noDiscounts } from '../domain/discounts.ts'
import type { Reservation } from './coupon-reservation.ts'

/** The coupon of a session, by its id or its code; neither for none. */
export interface CouponChoice {
  couponId?: string | undefined
  code?: string | undefined
}

/**
 * Reserves the coupon of a session, and computes the discounts of its lines with the coupon and with its affiliate link. The
 * current products decide which discounts apply.
 * @throws ServiceFault `validation-failed` naming `coupon_id` or `promo_codes.0`, `service-unavailable`
 */
export async function discountsWith(
  ctx: AppContext,
  session: SessionRow,
  { couponId, code }: CouponChoice,
  reserve: Reservation['reserve'],
): Promise<Discounts> {
  const { customerId, affiliateLinkId, expiresAt } = session
  if (couponId === undefined && code === undefined && affiliateLinkId === null) return noDiscounts
  return await reserve({
    codes: { customerId, couponId, promoCodes: code === undefined ? [] : [code], affiliateCode: undefined },
    lines: linesOfSession(session, await productsOf(ctx, session)),
    expiresAt,
    affiliateLinkId,
  })
}

/** The products of a session that still exist. */
export async function productsOf(
  ctx: AppContext,
  { storeId, lines }: Pick<SessionRow, 'storeId' | 'lines'>,
): Promise<ProductRow[]> {
  const ids = new Set(lines.flatMap(({ productId }) => productId ?? []))
  return ids.size === 0 ? [] : await findProducts(ctx.database, storeId, [...ids])
}
