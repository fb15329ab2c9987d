import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import pMap from 'p-map'
import { lookupsPerOrder } from '../../adapters/customer-directory.ts'
import type { AppContext } from '../../context.ts'
import { findProducts } from '../../products/db/product-repository.ts'
import type { CheckoutDraft } from '../domain/checkout-draft.ts'
import { joinProducts, type Order } from '../domain/order.ts'

/**
 * Loads what the price of the order depends on: products, answers to custom variables and the store's currency.
 * @throws ServiceFault `validation-failed` naming everything that does not exist, is not on sale or cannot be used, the
 * codes of the order included; `service-unavailable` if a service cannot be reached
 */
export async function loadOrder(ctx: AppContext, call: Call, draft: CheckoutDraft, now: Date): Promise<Order> {
  const storeId = requireStore(call)
  const productIds = new Set(draft.lines.flatMap(({ item }) => (item.kind === 'product' ? [item.productId] : [])))
  const [unknownRecipients, currency, products] = await Promise.all([
    findUnknownRecipients(ctx, call, draft),
    ctx.currencies.get(storeId, call),
    productIds.size === 0 ? [] : findProducts(ctx.database, storeId, [...productIds]),
  ])
  const { lines, violations } = joinProducts(draft, products, now)
  const { lines: answeredLines, violations: wrongAnswers } = await ctx.answers.resolve(lines, call)
  const all = [...violations, ...wrongAnswers, ...unknownRecipients]
  // The order is rejected in any case. Its codes are validated so that all violations are reported together.
  if (all.length > 0) throw errors.validationFailed([...all, ...(await ctx.coupons.validate(draft, call))])
  return { currency, lines: answeredLines }
}

/** The violations of recipients that are not customers of the store. @throws ServiceFault `service-unavailable` */
async function findUnknownRecipients(ctx: AppContext, call: Call, draft: CheckoutDraft): Promise<Violation[]> {
  const named = draft.lines.map(({ recipient }) => (recipient?.kind === 'customer' ? recipient.customerId : undefined))
  const ids = [...new Set(named.filter((id) => id !== undefined))]
  const unknown = new Set<string>()
  await pMap(
    ids,
    async (id) => {
      if (!(await ctx.customers.find(id, call))) unknown.add(id)
    },
    { concurrency: lookupsPerOrder },
  )
  return named.flatMap((id, index) =>
    id !== undefined && unknown.has(id)
      ? [violation(`lines.${index}.gift_to_customer_id`, 'reference', 'is not a customer of this store')]
      : [],
  )
}
