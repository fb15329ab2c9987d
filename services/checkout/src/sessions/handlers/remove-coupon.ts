import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { changeCoupon } from '../steps/change-coupon.ts'

export function removeCoupon(ctx: AppContext): CheckoutHandlers['removeCoupon'] {
  return async (request, call) =>
    changeCoupon(ctx, call, { token: request.token, code: undefined }, (effect) => write(ctx, call, request, effect))
}
