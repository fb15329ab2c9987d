import { errors, violation } from '@storekeep/common/errors'
import { onBehalfOf, requireStore } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { advance } from '../../steps/advance.ts'
import { checkAddresses } from '../../steps/check-addresses.ts'
import { checkLocale } from '../../steps/check-locale.ts'
import { originOf } from '../../steps/origin.ts'
import { renewalTermsOf } from '../../subscriptions/mappers.ts'
import { canRenew } from '../domain/payment.ts'
import { paymentToProto, providerFromProto } from '../mappers.ts'
import { createPayment } from '../steps/create-payment.ts'

export function startPayment(ctx: AppContext): PaymentHandlers['startPayment'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    checkAddresses(request)
    checkLocale(request.locale)
    const { settings, enabled, providers } = await ctx.providers.forStore(storeId)
    const session = await ctx.sessions.prepare(
      present({
        session: { case: 'token' as const, value: request.token },
        customerDetails: request.billingDetails,
        customerIp: request.customerIp,
        customerCountry: request.customerCountry,
      }),
      onBehalfOf(call),
    )
    const { expectedAmount = session.totalAmount } = request
    if (session.totalAmount !== expectedAmount) {
      throw errors.validationFailed([violation('expected_amount', 'exclusive', 'is not the total of the session')])
    }
    const requested = providerFromProto(request.provider)
    const renewalTerms = renewalTermsOf(session)
    // A subscription is started at a provider that can renew it, even if its first period costs nothing.
    const isFree = session.totalAmount === 0n && renewalTerms === null
    const provider = isFree ? 'free' : enabled.find((one) => one === requested)
    if (provider === undefined) {
      throw errors.validationFailed([violation('provider', 'enum', 'is not enabled in this store')])
    }
    if (renewalTerms !== null && !canRenew(provider)) {
      throw errors.validationFailed([violation('provider', 'enum', 'cannot renew a subscription')])
    }
    const { successUrl, cancelUrl, locale = null } = request
    const page = { successUrl, cancelUrl, locale }
    const created = await createPayment(ctx, providers, { session, provider, renewalTerms, ...page })
    const { payment } = await advance(ctx, { payment: created }, originOf(call))
    const instructions = payment.provider === 'manual' ? settings.manualInstructions : null
    return present({ payment: paymentToProto(payment), redirectUrl: payment.redirectUrl, instructions })
  }
}
