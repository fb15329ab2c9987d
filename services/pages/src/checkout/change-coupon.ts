import { ServiceFault } from '@storekeep/common/errors'
import { PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { checkoutPath, type Notice } from './links.ts'
import { findCheckout } from './load-checkout.ts'

/** Applies the entered code, or removes the coupon. The limits on forms also limit the guessing of codes. */
export const changeCoupon: Handler = async (ctx, request) => {
  const checkout = await findCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${request.site.path}/`)
  const { token, session, state } = checkout
  enforceLimit(ctx, 'form-token', token, ctx.config.limits.formTokenPerMinute)
  const form = await request.form()
  const code = [...(form.get('code') ?? '').trim()].slice(0, maxCodeLength).join('')
  const back = (notice: Notice) => redirect(checkoutPath(request, checkout, '/', notice))
  if (state.payment?.status === PaymentStatus.PROCESSING) return back('coupon-busy')
  const call = request.call(session.storeId)
  try {
    if (form.get('remove') === 'true') {
      await ctx.checkout.removeCoupon({ token }, call)
      return back('coupon-removed')
    }
    await ctx.checkout.applyCoupon({ token, code }, call)
    return back('coupon-applied')
  } catch (error) {
    const notice = error instanceof ServiceFault ? noticeFor(error) : undefined
    if (notice === undefined) throw error
    // So that the shopper can correct it.
    return redirect(`${checkoutPath(request, checkout, '/', notice)}&code=${encodeURIComponent(code)}`)
  }
}

function noticeFor({ code, violations }: ServiceFault): Notice | undefined {
  if (code === 'conflict') return 'coupon-busy'
  if (code !== 'validation-failed') return undefined
  return reasons[violations[0]?.code ?? ''] ?? 'coupon-unknown'
}

/** By the item codes of the contract. Whether a code that cannot be used exists is not disclosed. */
const reasons: Readonly<Record<string, Notice>> = {
  'coupon-expired': 'coupon-expired',
  'coupon-exhausted': 'coupon-used-up',
  'coupon-customer-limit': 'coupon-used-up',
  'coupon-out-of-scope': 'coupon-out-of-scope',
  'coupon-below-minimum': 'coupon-minimum',
}

/** In characters: half a surrogate pair cannot be part of a URL. */
const maxCodeLength = 64
