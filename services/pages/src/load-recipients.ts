import type { CallOptions } from '@storekeep/common/grpc'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import type { PagesContext } from './context.ts'

/** The names of the customers for whom lines are gifts, by id. */
export async function loadRecipients(
  { customers }: Pick<PagesContext, 'customers'>,
  lines: readonly Pick<CheckoutLine, 'giftToCustomerId'>[],
  call: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? []))]
  const names = ids.map(async (customerId): Promise<[string, string]> => {
    const { name } = await customers.getCustomerName({ customerId }, call)
    return [customerId, name]
  })
  return new Map(await Promise.all(names))
}
