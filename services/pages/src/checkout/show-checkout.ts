import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import type { PagesContext } from '../context.ts'
import { loadDelivery, loadGameServers } from '../delivery/load-delivery.ts'
import { ipCountryOf } from '../http/ip-country.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { loadProfiles, namesOf } from '../load-profiles.ts'
import { checkoutForm, type NoticeLine } from '../views/checkout-form.ts'
import { checkoutMessage, type Purchase, unknownCheckout } from '../views/checkout-messages.ts'
import { type Page, pageReply } from '../views/layout.ts'
import { isPayable, type Stage, stageOf } from './checkout-stage.ts'
import { type Notice, noticeLineOf, noticeOf } from './links.ts'
import { type Checkout, loadCheckout } from './load-checkout.ts'

/** The page at the `url` of a checkout session. */
export const showCheckout: Handler = async (ctx, request) => {
  const { language } = request
  const checkout = await loadCheckout(ctx, request)
  if (checkout === undefined) return pageReply(request, { ...unknownCheckout(language), status: 404 })
  const { session, store } = checkout
  const stage = stageOf(checkout.state)
  if (stage === 'success' && session.autoRedirect && session.returnUrl) return redirect(session.returnUrl)
  const page =
    isPayable(stage) || (stage === 'manual' && request.query.has('choose'))
      ? await openCheckout(ctx, request, checkout, stage)
      : checkoutMessage(stage, checkout, request, await purchaseOf(ctx, request, stage, checkout))
  return pageReply(request, { ...page, store, scripts: ['coupon.js', 'forms.js', 'local-time.js', 'tax.js'] })
}

/** Of the stages that need no form, only the success lists the order. */
async function purchaseOf(
  ctx: PagesContext,
  request: PageRequest,
  stage: Stage,
  { session, state }: Checkout,
): Promise<Purchase | undefined> {
  if (stage !== 'success' || !state.order) return undefined
  request.call(session.storeId)
  const [profiles, delivery] = await Promise.all([
    loadProfiles(ctx, request, session.lines),
    loadDelivery(ctx, request, { orderId: state.order.id, limit: 20 }),
  ])
  return { recipients: namesOf(profiles), delivery, nowMs: ctx.clock.now().getTime() }
}

/** The line that the notice is about, with the products that it requires. */
async function loadNoticeLine(
  ctx: PagesContext,
  request: PageRequest,
  { token, session }: Checkout,
  notice: Notice | undefined,
): Promise<NoticeLine | undefined> {
  const position = noticeLineOf(request.query)
  if (position === undefined || position > session.lines.length) return undefined
  if (notice !== 'product-required') return { position }
  return { position, required: await ctx.checkout.listRequiredProducts({ token, position }, request.callOptions()) }
}

async function openCheckout(
  ctx: PagesContext,
  request: PageRequest,
  checkout: Checkout,
  stage: Stage,
): Promise<Pick<Page, 'title' | 'content' | 'formOrigins'>> {
  const { session } = checkout
  const call = request.call(session.storeId)
  const notice = noticeOf(request.query)
  const hasServers = session.lines.some(({ selectedGameserverId }) => selectedGameserverId)
  const [{ providers }, profiles, gameServers, about] = await Promise.all([
    ctx.payments.listPaymentMethods({ renewing: session.subscription !== undefined }, call),
    loadProfiles(ctx, request, session.lines, session.customerId),
    hasServers ? loadGameServers(ctx, request) : [],
    loadNoticeLine(ctx, request, checkout, notice),
  ])
  return {
    title: request.language.texts.checkout,
    content: checkoutForm({
      request,
      checkout,
      methods: providers,
      buyer: profiles.get(session.customerId),
      names: { recipients: namesOf(profiles), serverNames: new Map(gameServers.map(({ id, name }) => [id, name])) },
      gameServers,
      notice,
      about,
      stage,
      ipCountry: ipCountryOf(ctx, request),
    }),
    formOrigins: [
      ...(providers.includes(PaymentProvider.STRIPE) ? ctx.config.providerOrigins : []),
      // A payment that succeeds immediately redirects to the store, and browsers apply `form-action` to redirects.
      ...(session.autoRedirect && session.returnUrl ? [new URL(session.returnUrl).origin] : []),
    ],
  }
}
