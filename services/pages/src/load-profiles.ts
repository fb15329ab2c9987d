import { ServiceFault } from '@storekeep/common/errors'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import type { Profile } from '@storekeep/proto/customers/v1/customer'
import type { PagesContext } from './context.ts'
import type { PageRequest } from './http/route.ts'

/**
 * The display profiles of the recipients of gifts, and of the buyer if given, by id, in the store of the request, which is known.
 * Deleted customers are omitted. None if the customers service is unavailable or slow, because a page can do without names.
 */
export async function loadProfiles(
  { customers }: Pick<PagesContext, 'customers'>,
  request: PageRequest,
  lines: readonly Pick<CheckoutLine, 'giftToCustomerId'>[],
  buyerId?: string,
): Promise<Profiles> {
  const ids = [...new Set([buyerId, ...lines.map((line) => line.giftToCustomerId)])].filter((id) => id !== undefined)
  const batches = Array.from({ length: Math.ceil(ids.length / customerLimits.idsPerBatch) }, (_, index) =>
    ids.slice(index * customerLimits.idsPerBatch, (index + 1) * customerLimits.idsPerBatch),
  )
  const call = request.callOptions(maxWaitMs)
  try {
    const found = await Promise.all(batches.map((customerIds) => customers.batchGetProfiles({ customerIds }, call)))
    const all = found.flatMap(({ profiles }) => profiles)
    return new Map(all.flatMap(({ customerId, profile }) => (profile ? [[customerId, profile] as const] : [])))
  } catch (error) {
    if (error instanceof ServiceFault) return new Map()
    throw error
  }
}

export type Profiles = ReadonlyMap<string, Profile>

/** The names of the profiles, by id. */
export function namesOf(profiles: Profiles): ReadonlyMap<string, string> {
  return new Map([...profiles].map(([id, { name }]) => [id, name]))
}

/** The rest of a page does not wait longer for names. */
const maxWaitMs = 1500
