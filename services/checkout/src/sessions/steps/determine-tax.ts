import { errors, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { euCountries } from '@storekeep/proto/conventions/countries'
import { parseTaxId } from '../../adapters/tax-ids.ts'
import type { AppContext } from '../../context.ts'
import { allowsReverseCharge, type TaxedBuyer, type TaxSettings, taxCountry, taxTerms } from '../domain/tax.ts'
import type { TaxIdCheck, TaxTerms } from '../domain/tax-terms.ts'

/**
 * How a purchase in the store is taxed, by the current settings and rates.
 * @returns null if the store charges no taxes, or the country of the buyer is not known
 * @throws ServiceFault `service-unavailable` if the settings cannot be loaded
 */
export async function determineTax(
  ctx: AppContext,
  call: Call,
  storeId: string,
  buyer: TaxedBuyer,
): Promise<TaxTerms | null> {
  const { tax: settings } = await ctx.stores.get(storeId, call)
  const country = taxCountry(buyer)
  if (settings === null || country === null) return null
  const { billingCountry, ipCountry } = buyer
  const taxIdCheck = await checkTaxId(ctx, settings, country, buyer)
  const standardRate = ctx.standardTaxRates.get(country, ctx.clock.now())
  return taxTerms(settings, country, { billingCountry, ipCountry, taxIdCheck }, standardRate)
}

/**
 * As `determineTax`, before money moves.
 * @throws ServiceFault `validation-failed` if the store charges taxes and the country of the buyer is not known
 */
export async function requireTax(ctx: AppContext, call: Call, storeId: string, buyer: TaxedBuyer) {
  const terms = await determineTax(ctx, call, storeId, buyer)
  const isMissing = terms === null && (await ctx.stores.get(storeId, call)).tax !== null
  if (!isMissing) return terms
  throw errors.validationFailed([
    violation('customer_details.billing_address.country', 'required', 'is required, since the store charges taxes'),
  ])
}

/** Ids outside of the EU change no tax and are not checked. The register is asked only if its response changes the tax. */
async function checkTaxId(
  { taxIdRegister }: Pick<AppContext, 'taxIdRegister'>,
  settings: TaxSettings,
  country: string,
  { taxId: text, isConfirmed }: TaxedBuyer,
): Promise<TaxIdCheck> {
  if (text === null || !euCountries.has(country)) return 'none'
  const taxId = parseTaxId(country, text)
  if (taxId === undefined) return 'invalid'
  if (!taxIdRegister || !allowsReverseCharge(settings, country)) return 'well_formed'
  if (isConfirmed) return 'confirmed'
  const isRegistered = await taxIdRegister.contains(taxId)
  if (isRegistered === undefined) return 'unconfirmed'
  return isRegistered ? 'confirmed' : 'invalid'
}
