import { errors, violation } from '@storekeep/common/errors'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { isCode } from '../domain/checkout-draft.ts'
import { changeCoupon } from '../steps/change-coupon.ts'

export function applyCoupon(ctx: AppContext): CheckoutHandlers['applyCoupon'] {
  return async (request, call) => {
    if (!isCode(request.code)) {
      throw errors.validationFailed([violation('code', 'length', 'must have 1 to 64 characters')])
    }
    return changeCoupon(ctx, call, request, (effect) => write(ctx, call, request, effect))
  }
}
