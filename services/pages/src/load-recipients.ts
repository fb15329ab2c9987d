import type { CallOptions } from '@storekeep/common/grpc'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import type { PagesContext } from './context.ts'

/** The names of gift recipients, by id. Deleted customers are omitted. */
export async function loadRecipients(
  { customers }: Pick<PagesContext, 'customers'>,
  lines: readonly Pick<CheckoutLine, 'giftToCustomerId'>[],
  call: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const customerIds = [...new Set(lines.flatMap(({ giftToCustomerId }) => giftToCustomerId ?? []))]
  if (customerIds.length === 0) return new Map()
  const { names } = await customers.batchGetCustomerNames({ customerIds }, call)
  return new Map(Object.entries(names))
}
