import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import pMap from 'p-map'
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
  const ids = draft.lines.flatMap(({ item }) => (item.kind === 'product' ? [item.productId] : []))
  const products = ids.length === 0 ? [] : await findProducts(ctx.database, storeId, [...new Set(ids)])
  const { lines, violations } = joinProducts(draft, products, now)
  const [currency, { lines: answeredLines, violations: wrongAnswers }, unknownRecipients] = await Promise.all([
    ctx.currencies.get(storeId, call),
    ctx.answers.resolve(lines, call),
    findUnknownRecipients(ctx, call, draft),
  ])
  const all = [...violations, ...wrongAnswers, ...unknownRecipients]
  // The order is rejected in any case. The codes are validated so that everything is reported at once.
  if (all.length > 0) throw errors.validationFailed([...all, ...(await ctx.coupons.validate(draft, call))])
  return { currency, lines: answeredLines }
}

async function findUnknownRecipients(ctx: AppContext, call: Call, draft: CheckoutDraft): Promise<Violation[]> {
  const named = draft.lines.map(({ recipient }) => (recipient?.kind === 'customer' ? recipient.customerId : undefined))
  const ids = [...new Set(named.filter((id) => id !== undefined))]
  const unknown = new Set<string>()
  await pMap(
    ids,
    async (id) => {
      if (!(await ctx.customers.find(id, call))) unknown.add(id)
    },
    { concurrency: maxConcurrentLookups },
  )
  return named.flatMap((id, index) =>
    id !== undefined && unknown.has(id)
      ? [violation(`lines.${index}.gift_to_customer_id`, 'reference', 'is not a customer of this store')]
      : [],
  )
}

/** Lookups of one order at a time, so that a large order does not flood the customers service. */
export const maxConcurrentLookups = 8
