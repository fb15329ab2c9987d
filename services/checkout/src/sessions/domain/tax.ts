import { errors, violation } from '@storekeep/common/errors'
import { maxJsonInteger, sum } from '@storekeep/common/values'
import { euCountries, isCountryCode } from '@storekeep/proto/conventions/countries'
import { splitAmount, taxAmounts } from '@storekeep/proto/conventions/tax-amounts'
import type { CheckoutSession, CustomerDetails } from './checkout-session.ts'
import type { PricedSession } from './price-session.ts'
import type { SessionTax, TaxEvidence, TaxTerms } from './tax-terms.ts'

/** How a store charges taxes. */
export interface TaxSettings {
  /** Whether prices contain the tax. */
  inclusive: boolean
  registrations: readonly TaxRegistration[]
  /** Where the seller is established; null if unknown. ISO 3166-1 alpha-2. */
  country: string | null
  /** IANA name. */
  timeZone: string
}

export interface TaxRegistration {
  country: string
  /** Hundredths of a percent; null for the standard rate of a country of the EU. */
  rate: number | null
  name: string
}

/** What the tax of a buyer depends on. */
export interface TaxedBuyer {
  billingCountry: string | null
  ipCountry: string | null
  taxId: string | null
  /** Whether the register has confirmed this tax id in this country before. */
  isConfirmed: boolean
}

/** @param session whose tax was determined before */
export function taxedBuyer(
  details: CustomerDetails | null,
  ipCountry: string | null,
  session?: Pick<CheckoutSession, 'tax' | 'customerDetails'>,
): TaxedBuyer {
  const billingCountry = knownCountry(details?.billingAddress?.country)
  const taxId = taxIdOf(details)
  const { country, evidence } = session?.tax ?? {}
  const isSame = country === (billingCountry ?? ipCountry) && taxId === taxIdOf(session?.customerDetails ?? null)
  return { billingCountry, ipCountry, taxId, isConfirmed: isSame && evidence?.taxIdCheck === 'confirmed' }
}

export function taxIdOf(details: CustomerDetails | null): string | null {
  return details?.billingTaxId?.trim() || null
}

/** The country that determines the tax: the chosen one, else the country of the IP address. Null if neither is known. */
export function taxCountry({ billingCountry, ipCountry }: Pick<TaxedBuyer, 'billingCountry' | 'ipCountry'>) {
  return billingCountry ?? ipCountry
}

/** Null for an unknown code, such as `XX` of CDNs. */
export function knownCountry(code: string | null | undefined): string | null {
  const country = (code ?? '').toUpperCase()
  return isCountryCode(country) ? country : null
}

/** The country of the buyer's IP address: of this request, else of an earlier one. */
export function ipCountryOf(customerCountry: string | undefined, session?: { tax: SessionTax | null }): string | null {
  return knownCountry(customerCountry) ?? session?.tax?.evidence.ipCountry ?? null
}

/**
 * Whether a VAT id would make the buyer owe the tax: in the EU, a business in another country than the seller's accounts for the
 * tax of services itself (Directive 2006/112/EC, articles 44 and 196).
 */
export function allowsReverseCharge({ country: home }: TaxSettings, country: string): boolean {
  return home !== null && home !== country && euCountries.has(country)
}

/** @param standardRate of the country, for a registration without a rate */
export function taxTerms(
  settings: TaxSettings,
  country: string,
  evidence: TaxEvidence,
  standardRate: number | null,
): TaxTerms {
  const { inclusive, registrations, timeZone } = settings
  const registration = registrations.find((one) => one.country === country)
  const { taxIdCheck } = evidence
  const isBusiness = taxIdCheck === 'confirmed' || taxIdCheck === 'well_formed'
  const reverseCharge = isBusiness && allowsReverseCharge(settings, country)
  const rate = reverseCharge ? 0 : (registration?.rate ?? (registration ? standardRate : 0))
  if (rate === null) throw new Error(`the registration in ${country} has no rate`)
  return { inclusive, country, rate, name: registration?.name ?? null, reverseCharge, evidence, timeZone }
}

/**
 * The session with this tax in place of any that it had. The affiliate discount is spread over the lines in proportion to their
 * prices.
 * @param terms null for no tax
 * @throws ServiceFault `validation-failed` if the order costs more than a JSON number can hold
 */
export function applyTax<S extends PricedSession>(session: S, terms: TaxTerms | null): S {
  const price = session.subtotalAmount - session.couponDiscountAmount - session.affiliateDiscountAmount
  if (terms === null) {
    const lines = session.lines.map((line) => ({ ...line, netAmount: null, taxAmount: null }))
    return { ...session, lines, tax: null, totalAmount: price }
  }
  const prices = splitAmount(
    price,
    session.lines.map((line) => line.totalAmount),
  )
  const amounts = taxAmounts(prices, terms)
  const netAmount = sum(amounts.map((line) => line.netAmount))
  const taxAmount = sum(amounts.map((line) => line.taxAmount))
  if (netAmount + taxAmount > maxJsonInteger) {
    throw errors.validationFailed([violation('lines', 'max', `must cost at most ${maxJsonInteger} with tax`)])
  }
  const lines = session.lines.map((line, index) => ({ ...line, ...amounts[index] }))
  return { ...session, lines, tax: { ...terms, netAmount, taxAmount }, totalAmount: netAmount + taxAmount }
}
