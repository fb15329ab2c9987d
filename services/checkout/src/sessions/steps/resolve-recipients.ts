import { errors, type Violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import pMap from 'p-map'
import { lookupsPerOrder } from '../../adapters/customer-directory.ts'
import type { AppContext } from '../../context.ts'
import { type CheckoutDraft, recipientPath } from '../domain/checkout-draft.ts'
import type { PlatformAccount } from '../domain/checkout-input.ts'
import type { PricedSession } from '../domain/price-session.ts'

/**
 * Finds or creates the customer of each account that receives a line, and adds the recipients to the session.
 * @throws ServiceFault `validation-failed` naming every account that is invalid or unknown, `service-unavailable`
 */
export async function resolveRecipients(
  ctx: AppContext,
  call: Call,
  draft: CheckoutDraft,
  session: PricedSession,
): Promise<PricedSession> {
  const accounts = new Map(
    draft.lines.flatMap(({ recipient }) =>
      recipient?.kind === 'account' ? [[keyOf(recipient.account), recipient.account] as const] : [],
    ),
  )
  const find = async ([key, account]: [string, PlatformAccount]) =>
    [key, await ctx.customers.findOrCreate(account, call)] as const
  const found = new Map(await pMap(accounts, find, { concurrency: lookupsPerOrder }))
  const violations: Violation[] = []
  const lines = session.lines.map((line, index) => {
    const recipient = draft.lines[index]?.recipient
    if (recipient?.kind !== 'account') return { ...line, giftToCustomerId: recipient?.customerId ?? null }
    const { customerId = null, violations: wrong = [] } = found.get(keyOf(recipient.account)) ?? {}
    const at = recipientPath(recipient, `lines.${index}`)
    violations.push(...wrong.map((one) => ({ ...one, path: `${at}.${one.path}` })))
    return { ...line, giftToCustomerId: customerId }
  })
  if (violations.length > 0) throw errors.validationFailed(violations)
  return { ...session, lines }
}

function keyOf({ platform, id }: PlatformAccount): string {
  return JSON.stringify([platform, id])
}
