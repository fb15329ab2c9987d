import { errors, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import type { CheckoutDraft } from '../domain/checkout-draft.ts'

type Buyer = Pick<CheckoutDraft, 'customerId' | 'customerDetails' | 'customerIp'>

/**
 * Asserts that the buyer is a customer of the store and not banned.
 * @throws ServiceFault `validation-failed` for an unknown customer, `customer-banned`, `service-unavailable` if either
 * cannot be checked
 */
export async function assertBuyerAllowed(ctx: AppContext, call: Call, draft: Buyer): Promise<void> {
  const buyer = await ctx.customers.find(draft.customerId, call)
  if (!buyer) {
    throw errors.validationFailed([violation('customer_id', 'reference', 'is not a customer of this store')])
  }
  const billingEmail = draft.customerDetails?.billingEmail ?? undefined
  if (await ctx.bans.isBanned({ ...buyer, billingEmail, ip: draft.customerIp }, call)) {
    throw errors.customerBanned()
  }
}
