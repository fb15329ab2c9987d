import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { findProducts } from '../../products/db/product-repository.ts'
import type { CheckoutDraft } from '../domain/checkout-draft.ts'
import { joinProducts, type Order } from '../domain/order.ts'
import { findUnknownRecipients } from './recipients.ts'

/**
 * Loads what the price of the order depends on: products, answers to custom variables and the store's currency.
 * @throws ServiceFault `validation-failed` naming everything that does not exist, is not on sale or cannot be used, the
 * codes of the order included; `service-unavailable` if a service cannot be reached
 */
export async function loadOrder(ctx: AppContext, call: Call, draft: CheckoutDraft, now: Date): Promise<Order> {
  const storeId = requireStore(call)
  const productIds = new Set(draft.lines.flatMap(({ item }) => (item.kind === 'product' ? [item.productId] : [])))
  const [products, currency, unknownRecipients] = await Promise.all([
    productIds.size === 0 ? [] : findProducts(ctx.database, storeId, [...productIds]),
    ctx.currencies.get(storeId, call),
    findUnknownRecipients(ctx, call, draft),
  ])
  const { lines, violations } = joinProducts(draft, products, now)
  const { lines: answeredLines, violations: wrongAnswers } = await ctx.answers.resolve(lines, call)
  const all = [...violations, ...wrongAnswers, ...unknownRecipients]
  // The order is rejected in any case. The codes are validated so that everything is reported at once.
  if (all.length > 0) throw errors.validationFailed([...all, ...(await ctx.coupons.validate(draft, call))])
  return { currency, lines: answeredLines }
}
