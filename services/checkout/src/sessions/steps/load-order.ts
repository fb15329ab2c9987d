import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import pMap from 'p-map'
import { lookupsPerOrder } from '../../adapters/customer-directory.ts'
import type { AppContext } from '../../context.ts'
import { findProducts } from '../../products/db/product-repository.ts'
import type { CheckoutDraft } from '../domain/checkout-draft.ts'
import { commandAnswerViolations } from '../domain/command-answers.ts'
import { joinProducts, type Order, type ProductLine } from '../domain/order.ts'
import { findGameServerViolations } from './check-game-servers.ts'
import { findOwnershipViolations } from './check-ownership.ts'
import { findStockViolations, stockDemands } from './reserve-stock.ts'

/**
 * Loads what the price of the order depends on: products, answers to custom variables and the store's currency. Checks what its
 * products demand: a game server, products that the recipient owns, and units in stock.
 * @throws ServiceFault `validation-failed` naming everything that does not exist, is not on sale or cannot be used, the
 * codes of the order included; `service-unavailable` if a service cannot be reached
 */
export async function loadOrder(ctx: AppContext, call: Call, draft: CheckoutDraft, now: Date): Promise<Order> {
  const { violations, ...order } = await inspectOrder(ctx, call, draft, now)
  if (violations.length === 0) return order
  // The order is rejected in any case. Its codes are validated so that all violations are reported together.
  throw errors.validationFailed([...violations, ...(await ctx.coupons.validate(draft, call))])
}

/**
 * Loads an order, and finds what prevents its sale.
 * @returns `lines` without those whose product does not exist, and without the answers of lines with invalid ones
 * @throws ServiceFault `service-unavailable` if a service cannot be reached
 */
export async function inspectOrder(
  ctx: AppContext,
  call: Call,
  draft: CheckoutDraft,
  now: Date,
): Promise<Order & { violations: Violation[] }> {
  const storeId = requireStore(call)
  const productIds = new Set(draft.lines.flatMap(({ item }) => (item.kind === 'product' ? [item.productId] : [])))
  const [unknownRecipients, { currency }, products] = await Promise.all([
    findUnknownRecipients(ctx, call, draft),
    ctx.stores.get(storeId, call),
    productIds.size === 0 ? [] : findProducts(ctx.database, storeId, [...productIds]),
  ])
  const { lines, violations } = joinProducts(draft, products, now)
  const [{ lines: answeredLines, violations: wrongAnswers }, ...found] = await Promise.all([
    resolveAnswers(ctx, call, lines),
    findGameServerViolations(ctx, call, lines),
    findOwnershipViolations(ctx, call, draft.customerId, lines),
    findStockViolations(ctx.database, storeId, stockDemands(lines, knownRecipientOf(draft)), now),
  ])
  const answerViolations = wrongAnswers.length > 0 ? wrongAnswers : commandAnswerViolations(answeredLines)
  return {
    currency,
    lines: answeredLines,
    violations: [...violations, ...answerViolations, ...unknownRecipients, ...found.flat()],
  }
}

/** The lines with their answers. One line with invalid answers does not prevent the price of the others. */
async function resolveAnswers(ctx: AppContext, call: Call, lines: readonly ProductLine[]) {
  const resolved = await ctx.answers.resolve(lines, call)
  const { violations } = resolved
  if (violations.length === 0) return resolved
  const isWrong = ({ at }: ProductLine) => violations.some(({ path }) => path.startsWith(`${at}.`))
  const valid = lines.filter((line) => !isWrong(line))
  const { lines: answered } = await ctx.answers.resolve(valid, call)
  const byPath = new Map(answered.map((line) => [line.at, line]))
  return { lines: resolved.lines.map((line) => byPath.get(line.at) ?? line), violations }
}

/** Who receives each line, by its index; null if it is an account, whose customer may not exist yet. */
function knownRecipientOf({ customerId, lines }: CheckoutDraft) {
  return (index: number): string | null => {
    const recipient = lines[index]?.recipient
    if (recipient === undefined) return customerId
    return recipient.kind === 'customer' ? recipient.customerId : null
  }
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
