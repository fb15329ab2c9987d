import { ServiceFault } from '@storekeep/common/errors'
import { PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, redirect } from '../http/route.ts'
import { checkoutPath, type Notice } from './links.ts'
import { findCheckout } from './load-checkout.ts'

/** Changes the quantity of a line, or removes it. */
export const changeLines: Handler = async (ctx, request) => {
  const checkout = await findCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${request.site.path}/`)
  const { token, session, state } = checkout
  enforceLimit(ctx, 'form-token', token, ctx.config.limits.formTokenPerMinute)
  const form = await request.form()
  const position = countIn(form, 'position')
  const back = (notice: Notice) => redirect(checkoutPath(request, checkout, '/', notice, position))
  if (state.payment?.status === PaymentStatus.PROCESSING) return back('lines-busy')
  const quantity = form.get('remove') === 'true' ? 0 : countIn(form, 'quantity')
  const version = form.get('version') ?? ''
  if (position === undefined || quantity === undefined || !/^\d{1,18}$/.test(version))
    return back('quantity-unavailable')
  try {
    const { removedCouponCode } = await ctx.checkout.updateCheckoutLines(
      { token, lines: [{ position, quantity }], version: BigInt(version) },
      request.call(session.storeId),
    )
    return back(removedCouponCode === undefined ? 'lines-changed' : 'coupon-dropped')
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error
    if (error.code === 'conflict') return back('lines-busy')
    if (error.code === 'validation-failed') return back('quantity-unavailable')
    throw error
  }
}

function countIn(form: URLSearchParams, name: string): number | undefined {
  const text = (form.get(name) ?? '').trim()
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined
}
