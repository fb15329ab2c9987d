import { isFault, ServiceFault } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import type { StartPaymentResponse } from '@storekeep/proto/orders/v1/payments_service'
import type { PagesContext } from '../context.ts'
import { ipCountryOf } from '../http/ip-country.ts'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { gameServerFieldName } from '../views/game-server-field.ts'
import { checkoutPath, type Notice } from './links.ts'
import { type FoundCheckout, findCheckout, isFree } from './load-checkout.ts'
import { changeTax, detailsOf } from './update-tax.ts'

/**
 * Starts the payment and redirects to the payment page. Resubmitting continues the same payment; if the session is no longer
 * payable, the checkout page shows why.
 */
export const pay: Handler = async (ctx, request) => {
  const checkout = await findCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${request.site.path}/`)
  enforceLimit(ctx, 'form-token', checkout.token, ctx.config.limits.formTokenPerMinute)
  const back = (notice?: Notice) => redirect(checkoutPath(request, checkout, '/', notice))
  const form = await request.form()
  const email = (form.get('email') ?? '').trim()
  if (!/^[^\s@]+@[^\s@]+[.][^\s@]+$/.test(email) || email.length > 254) return back('email')
  const provider = providers.get(form.get('method') ?? '')
  if (provider === undefined && !isFree(checkout)) return back('method')
  const shown = form.get('total') ?? ''
  if (!/^\d{1,16}$/.test(shown)) return back('total')
  try {
    const unavailable = await chooseGameServers(ctx, request, checkout, form)
    if (unavailable !== undefined)
      return redirect(checkoutPath(request, checkout, '/', 'server-unavailable', unavailable))
    const notice = await changeTax(ctx, request, checkout, form)
    if (notice !== undefined) return back(notice)
    const started = await start(ctx, request, checkout, { form, email, provider, expectedAmount: BigInt(shown) })
    return redirect(nextPage(started, request, checkout))
  } catch (error) {
    const notice = error instanceof ServiceFault ? noticeFor(error) : undefined
    if (notice === undefined) throw error
    return redirect(checkoutPath(request, checkout, '/', ...notice))
  }
}

/**
 * Changes the game servers of lines for which the buyer has chosen others.
 * @returns the position of a line whose server is no longer available
 */
async function chooseGameServers(
  ctx: PagesContext,
  request: PageRequest,
  { session, token }: FoundCheckout,
  form: URLSearchParams,
): Promise<number | undefined> {
  for (const [index, { gameServerChoice, selectedGameserverId }] of session.lines.entries()) {
    const position = index + 1
    const gameServerId = form.get(gameServerFieldName(position))
    if (!gameServerChoice || gameServerId === null || gameServerId === selectedGameserverId) continue
    if (!isFlakeId(gameServerId)) return position
    try {
      await ctx.checkout.selectGameServer({ token, position, gameServerId }, request.call(session.storeId))
    } catch (error) {
      if (isFault(error, 'validation-failed')) return position
      throw error
    }
  }
  return undefined
}

function start(
  ctx: PagesContext,
  request: PageRequest,
  checkout: FoundCheckout,
  { form, email, provider = PaymentProvider.UNSPECIFIED, expectedAmount }: Submission,
): Promise<StartPaymentResponse> {
  const { session, token } = checkout
  const customerCountry = ipCountryOf(ctx, request)
  const page = (notice?: Notice) => request.site.origin + checkoutPath(request, checkout, '/', notice)
  return ctx.payments.startPayment(
    {
      token,
      provider,
      billingDetails: detailsOf(checkout, form, email),
      successUrl: page(),
      cancelUrl: page('canceled'),
      customerIp: request.address,
      ...(customerCountry && { customerCountry }),
      expectedAmount,
      locale: request.language.locale,
    },
    request.call(session.storeId),
  )
}

interface Submission {
  form: URLSearchParams
  email: string
  provider: PaymentProvider | undefined
  /** The total that the page has shown. */
  expectedAmount: bigint
}

function nextPage(
  { payment, redirectUrl }: StartPaymentResponse,
  request: PageRequest,
  checkout: FoundCheckout,
): string {
  if (redirectUrl !== undefined) return redirectUrl
  const isTest = payment?.provider === PaymentProvider.TEST
  return checkoutPath(request, checkout, isTest ? '/test-payment' : '/')
}

/** The notice, and the line that it is about. */
function noticeFor({ code, violations }: ServiceFault): [Notice, number?] | undefined {
  switch (code) {
    case 'conflict':
      return ['paid']
    case 'customer-banned':
      return ['banned']
    case 'validation-failed': {
      if (violations.some(({ path }) => path === 'expected_amount')) return ['total']
      if (violations.some(({ path }) => path.endsWith('billing_address.country'))) return ['country']
      for (const { path, code } of violations) {
        const [, index] = /^lines[.](\d+)[.]/.exec(path) ?? []
        const notice = ownershipNotices[code ?? '']
        if (index !== undefined && notice !== undefined) return [notice, Number(index) + 1]
      }
      return [violations.some(({ path }) => path.endsWith('billing_email')) ? 'email' : 'method']
    }
    default:
      return undefined
  }
}

/** By the item codes of the contract. */
const ownershipNotices: Readonly<Record<string, Notice>> = {
  'required-product-missing': 'product-required',
  'product-already-owned': 'product-owned',
}

const providers: ReadonlyMap<string, PaymentProvider> = new Map([
  ['test', PaymentProvider.TEST],
  ['manual', PaymentProvider.MANUAL],
  ['stripe', PaymentProvider.STRIPE],
])
