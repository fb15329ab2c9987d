import { errors } from '@storekeep/common/errors'
import type { CheckoutDraft } from '../sessions/domain/checkout-draft.ts'
import type { CheckoutLine } from '../sessions/domain/checkout-session.ts'
import { toSplits } from '../sessions/domain/payout-splits.ts'
import { priceOrder } from '../sessions/domain/price-order.ts'
import type { Order } from './read-order.ts'
import { type PricedSession, sizeViolations } from './session-size.ts'

/**
 * @throws ServiceFault `validation-failed` for a coupon that does not fit the order, and for an order beyond all price
 *   or too long to keep
 */
export function priceSession(draft: CheckoutDraft, order: Order): PricedSession {
  const { coupon, affiliate } = order.codes
  const { lines, amounts, violations } = priceOrder(
    order.lines.map((line) => ({
      ...line.terms,
      productId: line.productId,
      subscription: line.draft.subscription,
      quantity: line.draft.quantity,
      options: order.answers.get(line)?.options ?? [],
    })),
    order.codes,
  )
  if (violations.length > 0) throw errors.validationFailed(violations)
  const session: PricedSession = {
    customerId: draft.customerId,
    currency: order.currency,
    couponId: coupon?.terms.id ?? null,
    couponVersionId: coupon?.terms.versionId ?? null,
    affiliateLinkId: affiliate?.terms.id ?? null,
    returnUrl: draft.returnUrl ?? null,
    cancelUrl: draft.cancelUrl ?? null,
    autoRedirect: draft.autoRedirect,
    metadata: draft.metadata,
    customerDetails: draft.customerDetails,
    ...amounts,
    lines: order.lines.flatMap((line, index): CheckoutLine[] => {
      const price = lines[index]
      if (!price) return []
      const { productId, terms, draft: own } = line
      return [
        {
          productId,
          name: terms.name,
          quantity: own.quantity,
          ...price,
          subscription: own.subscription,
          trial: own.trial,
          giftToCustomerId: null,
          selectedGameserverId: own.selectedGameserverId ?? null,
          customVariables: order.answers.get(line)?.values ?? {},
          metadata: own.metadata,
          payoutSplits: toSplits(own.payoutSplits),
          inlineProduct: productId === null ? terms : null,
        },
      ]
    }),
  }
  const tooLong = sizeViolations(session)
  if (tooLong.length > 0) throw errors.validationFailed(tooLong)
  return session
}
