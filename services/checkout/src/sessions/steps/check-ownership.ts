import { errors, type Violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import type { CheckoutLine } from '../domain/checkout-session.ts'
import { rulesOf } from '../domain/line-rules.ts'
import type { ProductLine } from '../domain/order.ts'
import { type OwnershipLine, ownershipQueries, ownershipViolations } from '../domain/ownership.ts'

/**
 * Which lines of a new order their recipients cannot have, because of the products that they own. Lines whose recipient
 * is an account are left out: its customer may not exist yet.
 * @throws ServiceFault `service-unavailable`
 */
export async function findOwnershipViolations(
  ctx: AppContext,
  call: Call,
  customerId: string,
  lines: readonly ProductLine[],
): Promise<Violation[]> {
  return await check(
    ctx,
    call,
    lines.flatMap(({ at, productId, terms, draft: { recipient, quantity } }) => {
      const rules = rulesOf(terms, productId)
      if (!rules) return []
      const ownerId = recipient?.kind === 'account' ? null : (recipient?.customerId ?? customerId)
      return [{ at: itemPath(at, productId), productId, quantity, ownerId, rules }]
    }),
  )
}

/**
 * Asserts that the recipients of a session can have its lines, because of the products that they own.
 * @throws ServiceFault `validation-failed` with the item codes `required-product-missing` and `product-already-owned`,
 * `service-unavailable`
 */
export async function assertOwnership(
  ctx: AppContext,
  call: Call,
  { customerId, lines }: { customerId: string; lines: readonly CheckoutLine[] },
): Promise<void> {
  const violations = await check(
    ctx,
    call,
    lines.flatMap(({ productId, quantity, giftToCustomerId, rules }, index) =>
      rules
        ? [
            {
              at: itemPath(`lines.${index}`, productId),
              productId,
              quantity,
              ownerId: giftToCustomerId ?? customerId,
              rules,
            },
          ]
        : [],
    ),
  )
  if (violations.length > 0) throw errors.validationFailed(violations)
}

async function check(ctx: AppContext, call: Call, lines: readonly OwnershipLine[]): Promise<Violation[]> {
  if (lines.length === 0) return []
  return ownershipViolations(lines, await ctx.ownership.find(ownershipQueries(lines), call))
}

function itemPath(at: string, productId: string | null): string {
  return productId === null ? `${at}.inline_product` : `${at}.product_id`
}
