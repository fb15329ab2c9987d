import { errors } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import pMap from 'p-map'
import type { AppContext } from '../../context.ts'
import { type CheckoutDraft, recipientPath } from '../domain/checkout-draft.ts'
import type { PlatformAccount } from '../domain/checkout-input.ts'
import { maxConcurrentLookups } from './load-order.ts'

/**
 * The recipient of each line: found or created for an account, null if the line is not a gift.
 * @throws ServiceFault `validation-failed` naming every account that is invalid or unknown, `service-unavailable`
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
  const find = async ([key, account]: [string, PlatformAccount]) =>
    [key, await ctx.customers.findOrCreate(account, call)] as const
  const found = new Map(await pMap(accounts, find, { concurrency: maxConcurrentLookups }))
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
