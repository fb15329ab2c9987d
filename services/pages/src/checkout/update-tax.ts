import { create } from '@bufbuild/protobuf'
import { ServiceFault } from '@storekeep/common/errors'
import { BillingAddressSchema, CustomerDetailsSchema, TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import type { PagesContext } from '../context.ts'
import { ipCountryOf } from '../http/ip-country.ts'
import { enforceLimit } from '../http/limits.ts'
import { type Handler, type PageRequest, redirect } from '../http/route.ts'
import { checkoutPath, type Notice } from './links.ts'
import { type FoundCheckout, findCheckout } from './load-checkout.ts'

/** Stores the country and the tax id, and shows the checkout with its new total. */
export const updateTax: Handler = async (ctx, request) => {
  const checkout = await findCheckout(ctx, request)
  if (checkout === undefined) return redirect(`${request.site.path}/`)
  enforceLimit(ctx, 'form-token', checkout.token, ctx.config.limits.formTokenPerMinute)
  const notice = await changeTax(ctx, request, checkout, await request.form())
  // The shopper has asked for the new total.
  return redirect(checkoutPath(request, checkout, '/', notice === 'total' ? undefined : notice))
}

/** The details of a session with the email address, the country and the tax id of a form. */
export function detailsOf(
  { session: { customerDetails } }: FoundCheckout,
  form: URLSearchParams,
  billingEmail: string,
) {
  const country = form.get('country')
  if (country === null) return Object.assign(create(CustomerDetailsSchema), customerDetails, { billingEmail })
  const billingAddress = Object.assign(create(BillingAddressSchema), customerDetails?.billingAddress, { country })
  const billingTaxId = (form.get('tax_id') ?? '').trim() || undefined
  return Object.assign(create(CustomerDetailsSchema), customerDetails, { billingEmail, billingAddress, billingTaxId })
}

/**
 * Stores the country and the tax id of a form if they have changed. A tax id that is not valid is stored, too: the page shows it and
 * why the tax is charged.
 * @returns why the shopper has to look at the checkout again before paying
 */
export async function changeTax(
  ctx: PagesContext,
  request: PageRequest,
  { token, session }: FoundCheckout,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const billingCountry = form.get('country')
  // The store charges no taxes, or a payment is processing.
  if (billingCountry === null) return undefined
  if (billingCountry === '') return 'country'
  const billingTaxId = (form.get('tax_id') ?? '').trim()
  const { tax, customerDetails } = session
  const isSame = tax?.evidence?.billingCountry === billingCountry
  if (isSame && billingTaxId === (customerDetails?.billingTaxId ?? '')) return undefined
  const customerCountry = ipCountryOf(ctx, request)
  const given = { billingCountry, ...(billingTaxId && { billingTaxId }), ...(customerCountry && { customerCountry }) }
  try {
    const call = request.call(session.storeId)
    const { session: changed } = await ctx.checkout.updateTaxDetails({ token, ...given }, call)
    const check = changed?.tax?.evidence?.taxIdCheck
    if (check === TaxIdCheck.INVALID || check === TaxIdCheck.UNCONFIRMED) return 'tax-id'
    return changed?.totalAmount === session.totalAmount ? undefined : 'total'
  } catch (error) {
    const notice = error instanceof ServiceFault ? noticeFor(error) : undefined
    if (notice === undefined) throw error
    return notice
  }
}

function noticeFor({ code, violations }: ServiceFault): Notice | undefined {
  if (code === 'conflict') return 'tax-busy'
  if (code !== 'validation-failed') return undefined
  return violations.some(({ path }) => path === 'billing_country') ? 'country' : 'tax-id'
}
