import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { type CheckoutDraft, recipientPath } from '../domain/checkout-draft.ts'

/**
 * The customer who gets each line as a gift, made where somebody was named who is none yet; null for the buyer's own.
 * @throws ServiceFault `validation-failed` naming every account that cannot be, `service-unavailable`
 */
export async function findRecipients(
  ctx: AppContext,
  call: Call,
  { lines }: CheckoutDraft,
): Promise<(string | null)[]> {
  const asked = new Map<string, ReturnType<AppContext['customers']['findOrCreate']>>()
  const found = await Promise.all(
    lines.map(async ({ recipient }, index) => {
      if (!recipient) return { customerId: null, violations: [] }
      if (recipient.kind === 'customer') return { customerId: recipient.customerId, violations: [] }
      const { account } = recipient
      const key = JSON.stringify([account.platform, account.id])
      const asking = asked.get(key) ?? ctx.customers.findOrCreate(account, call)
      asked.set(key, asking)
      const { customerId, violations } = await asking
      const at = recipientPath(recipient, `lines.${index}`)
      return { customerId, violations: violations.map((one) => ({ ...one, path: `${at}.${one.path}` })) }
    }),
  )
  const violations = found.flatMap((one) => one.violations)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return found.map(({ customerId }) => customerId ?? null)
}
