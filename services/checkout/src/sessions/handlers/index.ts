import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { applyCoupon } from './apply-coupon.ts'
import { cancelCheckoutSession } from './cancel-checkout-session.ts'
import { checkBuyer } from './check-buyer.ts'
import { completeCheckoutSession } from './complete-checkout-session.ts'
import { createCheckoutSession } from './create-checkout-session.ts'
import { determineTax } from './determine-tax.ts'
import { extendCheckoutSession } from './extend-checkout-session.ts'
import { getCheckoutByToken } from './get-checkout-by-token.ts'
import { getCheckoutSession } from './get-checkout-session.ts'
import { listCheckoutSessions } from './list-checkout-sessions.ts'
import { listRequiredProducts } from './list-required-products.ts'
import { listTaxRates } from './list-tax-rates.ts'
import { preparePayment } from './prepare-payment.ts'
import { removeCoupon } from './remove-coupon.ts'
import { selectGameServer } from './select-game-server.ts'
import { updateCheckoutLines } from './update-checkout-lines.ts'
import { updateTaxDetails } from './update-tax-details.ts'

export function createCheckoutHandlers(ctx: AppContext): CheckoutHandlers {
  return {
    createCheckoutSession: createCheckoutSession(ctx),
    getCheckoutSession: getCheckoutSession(ctx),
    listCheckoutSessions: listCheckoutSessions(ctx),
    getCheckoutByToken: getCheckoutByToken(ctx),
    preparePayment: preparePayment(ctx),
    applyCoupon: applyCoupon(ctx),
    updateCheckoutLines: updateCheckoutLines(ctx),
    selectGameServer: selectGameServer(ctx),
    listRequiredProducts: listRequiredProducts(ctx),
    updateTaxDetails: updateTaxDetails(ctx),
    determineTax: determineTax(ctx),
    listTaxRates: listTaxRates(ctx),
    removeCoupon: removeCoupon(ctx),
    extendCheckoutSession: extendCheckoutSession(ctx),
    completeCheckoutSession: completeCheckoutSession(ctx),
    checkBuyer: checkBuyer(ctx),
    cancelCheckoutSession: cancelCheckoutSession(ctx),
  }
}
