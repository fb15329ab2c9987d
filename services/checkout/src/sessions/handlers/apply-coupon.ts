import { errors } from '@storekeep/common/errors'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { codeViolations } from '../domain/checkout-draft.ts'
import { changeCoupon } from '../steps/change-coupon.ts'

export function applyCoupon(ctx: AppContext): CheckoutHandlers['applyCoupon'] {
  return async (request, call) => {
    const violations = codeViolations('code', request.code)
    if (violations.length > 0) throw errors.validationFailed(violations)
    return changeCoupon(ctx, call, request, (effect) => write(ctx, call, request, effect))
  }
}
