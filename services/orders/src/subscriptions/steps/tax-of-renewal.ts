import { fromJson } from '@bufbuild/protobuf'
import { present } from '@storekeep/common/message'
import { CustomerDetailsSchema, type Tax } from '@storekeep/proto/checkout/v1/checkout_session'
import type { AppContext } from '../../context.ts'
import { findOrderOfCheckout } from '../../orders/db/order-repository.ts'
import { lenient, taxOf } from '../../orders/mappers.ts'
import { type Origin, onBehalfOfPayment } from '../../steps/origin.ts'
import type { Subscription } from '../domain/subscription.ts'

/**
 * How a renewal is taxed now: by the country and the tax id of the first order, and the current settings of the store.
 * @returns undefined without tax, as in a store that charged none for the first order: no country of the buyer is known then
 * @throws ServiceFault `service-unavailable`
 */
export async function taxOfRenewal(
  ctx: AppContext,
  { storeId, checkoutId }: Pick<Subscription, 'storeId' | 'checkoutId'>,
  origin: Origin,
): Promise<Tax | undefined> {
  const first = await findOrderOfCheckout(ctx.database, storeId, checkoutId)
  if (!first) throw new Error('the first order of a subscription was not found')
  const { billingDetails } = first
  const details = billingDetails === null ? undefined : fromJson(CustomerDetailsSchema, billingDetails, lenient)
  const buyer = {
    billingCountry: details?.billingAddress?.country,
    billingTaxId: details?.billingTaxId,
    ipCountry: taxOf(first)?.evidence?.ipCountry,
  }
  return await ctx.sessions.determineTax(present(buyer), onBehalfOfPayment(origin, storeId))
}
