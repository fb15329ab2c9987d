import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { type CheckoutDraft, recipientPath } from '../sessions/domain/checkout-draft.ts'
import type { PlatformAccount } from '../sessions/domain/checkout-input.ts'
import { fewAtATime } from './few-at-a-time.ts'

/**
 * The customer who gets each line as a gift, made where somebody was named who is none yet; null for the buyer's own.
 * @throws ServiceFault `validation-failed` naming every account that cannot be, `service-unavailable`
 */
export async function findRecipients(
  ctx: AppContext,
  call: Call,
  { lines }: CheckoutDraft,
): Promise<(string | null)[]> {
  const accounts = new Map(
    lines.flatMap(({ recipient }) =>
      recipient?.kind === 'account' ? [[keyOf(recipient.account), recipient.account] as const] : [],
    ),
  )
  const answers = await fewAtATime([...accounts], async ([key, account]) => {
    return [key, await ctx.customers.findOrCreate(account, call)] as const
  })
  const found = new Map(answers)
  const violations = lines.flatMap(({ recipient }, index) => {
    if (recipient?.kind !== 'account') return []
    const at = recipientPath(recipient, `lines.${index}`)
    const wrong = found.get(keyOf(recipient.account))?.violations ?? []
    return wrong.map((one) => ({ ...one, path: `${at}.${one.path}` }))
  })
  if (violations.length > 0) throw errors.validationFailed(violations)
  return lines.map(({ recipient }) => {
    if (recipient?.kind === 'customer') return recipient.customerId
    return (recipient && found.get(keyOf(recipient.account))?.customerId) ?? null
  })
}

function keyOf({ platform, id }: PlatformAccount): string {
  return JSON.stringify([platform, id])
}
