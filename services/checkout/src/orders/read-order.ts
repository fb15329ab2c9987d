import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Answers } from '../adapters/variable-answers.ts'
import type { AppContext } from '../context.ts'
import { findProducts } from '../products/db/product-repository.ts'
import type { CheckoutDraft } from '../sessions/domain/checkout-draft.ts'
import { type ChosenCodes, chooseCodes } from '../sessions/domain/codes.ts'
import { type OrderLine, orderLines } from '../sessions/domain/order.ts'
import { fewAtATime } from './few-at-a-time.ts'

/** An order with all that others know about it. */
export interface Order {
  currency: string
  lines: readonly OrderLine[]
  /** Of the lines that ask for any. */
  answers: ReadonlyMap<OrderLine, Answers>
  codes: ChosenCodes
}

/**
 * Asks the owners of everything that the order names.
 * @throws ServiceFault `validation-failed` naming all that does not exist, is not sold or cannot be used,
 * `service-unavailable` when an owner cannot be asked
 */
export async function readOrder(ctx: AppContext, call: Call, draft: CheckoutDraft, now: Date): Promise<Order> {
  const storeId = requireStore(call)
  const ids = draft.lines.flatMap(({ item }) => (item.kind === 'product' ? [item.productId] : []))
  const products = ids.length === 0 ? [] : await findProducts(ctx.database, storeId, [...new Set(ids)])
  const { lines, violations } = orderLines(draft, products, now)
  const [currency, { answers, violations: wrongAnswers }, strangers, codes] = await Promise.all([
    ctx.currencies.get(storeId, call),
    ctx.answers.resolve(lines, call),
    findUnknownRecipients(ctx, call, draft),
    ctx.coupons.resolve(draft, call),
  ])
  const { violations: wrongCodes, ...chosen } = chooseCodes(codes, { customerId: draft.customerId, now })
  const all = [...violations, ...wrongAnswers, ...strangers, ...wrongCodes]
  if (all.length > 0) throw errors.validationFailed(all)
  return { currency, lines, answers, codes: chosen }
}

/** The recipients who were named as customers and are none. */
async function findUnknownRecipients(ctx: AppContext, call: Call, draft: CheckoutDraft): Promise<Violation[]> {
  const named = draft.lines.map(({ recipient }) => (recipient?.kind === 'customer' ? recipient.customerId : undefined))
  const ids = [...new Set(named.filter((id) => id !== undefined))]
  const unknown = new Set<string>()
  await fewAtATime(ids, async (id) => {
    if (!(await ctx.customers.find(id, call))) unknown.add(id)
  })
  return named.flatMap((id, index) =>
    id !== undefined && unknown.has(id)
      ? [violation(`lines.${index}.gift_to_customer_id`, 'reference', 'is not a customer of the store')]
      : [],
  )
}
