import { isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import type { PagesContext } from './context.ts'

/** The names of the customers for whom lines are gifts, by id, without those of customers who no longer exist. */
export async function loadRecipients(
  { customers }: Pick<PagesContext, 'customers'>,
  lines: readonly Pick<CheckoutLine, 'giftToCustomerId'>[],
  call: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? []))]
  const names = ids.map(async (customerId): Promise<[string, string][]> => {
    const found = await customers.getCustomerName({ customerId }, call).catch(undefinedIfUnknown)
    return found ? [[customerId, found.name]] : []
  })
  return new Map((await Promise.all(names)).flat())
}

function undefinedIfUnknown(error: unknown): undefined {
  if (isFault(error, 'not-found')) return undefined
  throw error
}
