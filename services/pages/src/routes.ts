import { changeCoupon } from './checkout/change-coupon.ts'
import { changeLines } from './checkout/change-lines.ts'
import { pay } from './checkout/pay.ts'
import { showCheckout } from './checkout/show-checkout.ts'
import { showReceipt } from './checkout/show-receipt.ts'
import { decideTestPayment, showTestPayment } from './checkout/test-payment.ts'
import { updateTax } from './checkout/update-tax.ts'
import { receiveWebhook } from './checkout/webhook.ts'
import { accentRoute } from './http/accent.ts'
import { assetRoutes } from './http/assets.ts'
import { changeLanguage } from './http/change-language.ts'
import { receiveCspReport } from './http/csp-reports.ts'
import type { Route } from './http/route.ts'
import { imageRoute } from './images/show-image.ts'
import { cancelSubscription, confirmCancellation } from './portal/cancel-subscription.ts'
import { enterPortal } from './portal/enter-portal.ts'
import { showItems } from './portal/show-items.ts'
import { showOrder } from './portal/show-order.ts'
import { showSubscription } from './portal/show-subscription.ts'
import { signOut } from './portal/sign-out.ts'
import { decideTestRenewal } from './portal/test-renewal.ts'
import { showPaymentMethod, updatePaymentMethod } from './portal/update-payment-method.ts'
import { addToCart } from './store/add-to-cart.ts'
import { changeCart, checkOut } from './store/change-cart.ts'
import { showCart } from './store/show-cart.ts'
import { showCatalog } from './store/show-catalog.ts'
import { showProduct } from './store/show-product.ts'
import { showSignIn, signIn, signOut as signOutOfStore } from './store/sign-in.ts'
import { finishSteamSignIn, startSteamSignIn } from './store/sign-in-with-steam.ts'

/** Every route of the sites. */
export const routes: readonly Route[] = [
  { site: 'checkout', method: 'GET', path: '/', handle: showCheckout },
  { site: 'checkout', method: 'POST', path: '/pay', handle: pay },
  { site: 'checkout', method: 'GET', path: '/receipt', handle: showReceipt },
  { site: 'checkout', method: 'POST', path: '/coupon', handle: changeCoupon },
  { site: 'checkout', method: 'POST', path: '/tax', handle: updateTax },
  { site: 'checkout', method: 'POST', path: '/lines', handle: changeLines },
  { site: 'checkout', method: 'GET', path: '/test-payment', handle: showTestPayment },
  { site: 'checkout', method: 'POST', path: '/test-payment', handle: decideTestPayment },
  { site: 'checkout', method: 'POST', path: '/webhooks/stripe/{storeId}', handle: receiveWebhook, isMachine: true },
  { site: 'portal', method: 'GET', path: '/', handle: enterPortal },
  { site: 'portal', method: 'GET', path: '/items', handle: showItems },
  { site: 'portal', method: 'GET', path: '/orders/{orderId}', handle: showOrder },
  { site: 'portal', method: 'GET', path: '/subscriptions/{subscriptionId}', handle: showSubscription },
  { site: 'portal', method: 'GET', path: '/subscriptions/{subscriptionId}/cancel', handle: confirmCancellation },
  { site: 'portal', method: 'POST', path: '/subscriptions/{subscriptionId}/cancel', handle: cancelSubscription },
  { site: 'portal', method: 'GET', path: '/subscriptions/{subscriptionId}/payment-method', handle: showPaymentMethod },
  {
    site: 'portal',
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/payment-method',
    handle: updatePaymentMethod,
  },
  { site: 'portal', method: 'POST', path: '/subscriptions/{subscriptionId}/test-renewal', handle: decideTestRenewal },
  { site: 'portal', method: 'POST', path: '/sign-out', handle: signOut },
  ...(['checkout', 'portal', 'store'] as const).flatMap((site): Route[] => [
    { site, method: 'POST', path: '/language', handle: changeLanguage },
    { site, method: 'POST', path: '/csp-reports', handle: receiveCspReport, isMachine: true },
    ...assetRoutes(site),
    accentRoute(site),
    imageRoute(site),
  ]),
  // Last, because a slug can be the name of a folder above.
  { site: 'store', method: 'GET', path: '/{slug}', handle: showCatalog },
  { site: 'store', method: 'GET', path: '/{slug}/products/{product}', handle: showProduct },
  { site: 'store', method: 'POST', path: '/{slug}/products/{product}', handle: addToCart },
  { site: 'store', method: 'GET', path: '/{slug}/cart', handle: showCart },
  { site: 'store', method: 'POST', path: '/{slug}/cart', handle: changeCart },
  { site: 'store', method: 'POST', path: '/{slug}/cart/checkout', handle: checkOut },
  { site: 'store', method: 'GET', path: '/{slug}/sign-in', handle: showSignIn },
  { site: 'store', method: 'POST', path: '/{slug}/sign-in', handle: signIn },
  { site: 'store', method: 'GET', path: '/{slug}/sign-in/steam', handle: startSteamSignIn },
  { site: 'store', method: 'GET', path: '/{slug}/sign-in/return', handle: finishSteamSignIn },
  { site: 'store', method: 'POST', path: '/{slug}/sign-out', handle: signOutOfStore },
]
