import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { priceLine } from '../../sessions/domain/line-price.ts'
import { subtotalOf } from '../../sessions/domain/price-session.ts'
import { inspectOrder } from '../../sessions/steps/load-order.ts'
import { type Cart, draftOfCart, problemOf } from '../domain/cart.ts'
import type { PricedCart, PricedCartLine } from '../domain/priced-cart.ts'

/**
 * What each line costs now, and why it cannot be bought.
 * @throws ServiceFault `validation-failed` if the cart costs more than a JSON number can hold, `service-unavailable`
 */
export async function priceCart(
  ctx: AppContext,
  call: Call,
  customerId: string,
  { lines, updatedAt }: Pick<Cart, 'lines'> & { updatedAt: Date | null },
): Promise<PricedCart> {
  if (lines.length === 0) {
    const { currency } = await ctx.stores.get(requireStore(call), call)
    return { lines: [], subtotalAmount: 0n, currency, updatedAt }
  }
  const draft = draftOfCart(customerId, lines)
  const { currency, lines: found, violations } = await inspectOrder(ctx, call, draft, ctx.clock.now())
  const byPath = new Map(found.map((line) => [line.at, line]))
  const priced = lines.map((line, index): PricedCartLine => {
    const at = `lines.${index}`
    const problem = problemOf(violations, at)
    const product = problem?.code === 'product-unavailable' ? undefined : byPath.get(at)
    const isAnswered = !problem?.path.startsWith('custom_variables')
    const unitPrice =
      product && isAnswered ? priceLine(product.terms.price, product.answers.options).unitPrice : undefined
    return {
      line,
      name: product?.terms.name,
      slug: product?.terms.slug,
      imageUrl: product?.terms.imageUrl,
      unitPrice,
      totalAmount: unitPrice === undefined ? undefined : unitPrice * BigInt(line.quantity),
      problem,
    }
  })
  const payable = priced.flatMap(({ line, unitPrice, problem }) =>
    problem || unitPrice === undefined ? [] : [{ unitPrice, quantity: line.quantity }],
  )
  return { lines: priced, subtotalAmount: subtotalOf(payable), currency, updatedAt }
}
