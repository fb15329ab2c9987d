import { type Violation, violation } from '@storekeep/common/errors'
import { fieldsOf, secureAddressViolation } from '@storekeep/common/values'
import { euCountries, isCountryCode } from '@storekeep/proto/conventions/countries'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { type EmailKind, emailKinds } from '@storekeep/proto/conventions/email-kinds'
import { hasLength, storeLimits } from '@storekeep/proto/conventions/limits'
import {
  type StoreDetails,
  storeDetailFields,
  type TaxMode,
  type TaxProvider,
  type TaxRegistration,
  taxModes,
  taxProviders,
} from './store.ts'

/** The details of a store as requested, not validated. Unknown values of enums are "invalid"; an absent field is unset. */
export type DetailsInput = {
  [Field in keyof Unchecked]: null extends Unchecked[Field] ? Unchecked[Field] | undefined : Unchecked[Field]
}

/** The details of a store that sets none. Its name is empty, which is invalid. */
export const unsetDetails: StoreDetails = {
  name: '',
  description: null,
  logoUrl: null,
  logoSquareUrl: null,
  iconUrl: null,
  accentColor: null,
  websiteUrl: null,
  supportEmail: null,
  replyTo: null,
  termsUrl: null,
  privacyUrl: null,
  refundsUrl: null,
  sellerName: null,
  sellerAddress: null,
  sellerTaxId: null,
  sellerRegister: null,
  timeZone: 'UTC',
  taxMode: 'none',
  taxProvider: 'registrations',
  taxCountry: null,
  taxRegistrations: [],
  disabledEmails: [],
  storePageEnabled: false,
}

/** The details as they are stored, if `detailViolations` finds nothing wrong with them: trimmed, and without repetitions. */
export function toDetails(input: DetailsInput): StoreDetails {
  // Values that are "invalid" are among the violations, so they are never stored.
  const { taxMode, taxProvider, disabledEmails } = input as Pick<
    StoreDetails,
    'taxMode' | 'taxProvider' | 'disabledEmails'
  >
  return {
    name: input.name.trim(),
    description: textLines(input.description),
    logoUrl: input.logoUrl ?? null,
    logoSquareUrl: input.logoSquareUrl ?? null,
    iconUrl: input.iconUrl ?? null,
    accentColor: input.accentColor?.toLowerCase() ?? null,
    websiteUrl: input.websiteUrl ?? null,
    supportEmail: input.supportEmail?.trim() ?? null,
    replyTo: input.replyTo?.trim() ?? null,
    termsUrl: input.termsUrl ?? null,
    privacyUrl: input.privacyUrl ?? null,
    refundsUrl: input.refundsUrl ?? null,
    sellerName: input.sellerName?.trim() ?? null,
    sellerAddress: textLines(input.sellerAddress),
    sellerTaxId: input.sellerTaxId?.trim() ?? null,
    sellerRegister: input.sellerRegister?.trim() ?? null,
    timeZone: input.timeZone,
    taxMode,
    taxProvider,
    taxCountry: input.taxCountry ?? null,
    taxRegistrations: input.taxRegistrations.map(({ country, rate, name }) => ({ country, rate, name: name.trim() })),
    disabledEmails: [...new Set(disabledEmails)],
    storePageEnabled: input.storePageEnabled,
  }
}

/** The violations in these fields, by default in all. */
export function detailViolations(
  details: StoreDetails,
  fields: ReadonlySet<keyof StoreDetails> = new Set(fieldsOf(storeDetailFields)),
): Violation[] {
  return fieldsOf(storeDetailFields).flatMap((field) =>
    fields.has(field) ? violationsOf(details, field).filter((one) => one !== undefined) : [],
  )
}

/** Also the rule for names of API keys. */
export function nameViolation(name: string): Violation | undefined {
  return name === ''
    ? violation('name', 'required', 'is required')
    : lineViolation('name', name, storeLimits.nameLength)
}

function violationsOf<Field extends keyof StoreDetails>(
  details: StoreDetails,
  field: Field,
): readonly (Violation | undefined)[] {
  return rules[field](details[field], storeDetailFields[field])
}

/** The rule of each field. The path is the name of the field in the API. */
const rules: {
  [Field in keyof StoreDetails]: (value: StoreDetails[Field], path: string) => readonly (Violation | undefined)[]
} = {
  name: (name) => [nameViolation(name)],
  description: (text, path) => [linesViolation(path, text, storeLimits.descriptionLength)],
  logoUrl: addressRule,
  logoSquareUrl: addressRule,
  iconUrl: addressRule,
  accentColor: (color) => [colorViolation(color)],
  websiteUrl: addressRule,
  supportEmail: emailRule,
  replyTo: emailRule,
  termsUrl: addressRule,
  privacyUrl: addressRule,
  refundsUrl: addressRule,
  sellerName: (text, path) => [lineViolation(path, text, storeLimits.sellerNameLength)],
  sellerAddress: (text, path) => [linesViolation(path, text, storeLimits.addressLength)],
  sellerTaxId: (text, path) => [lineViolation(path, text, storeLimits.taxIdLength)],
  sellerRegister: (text, path) => [lineViolation(path, text, storeLimits.registerLength)],
  timeZone: (name) => [timeZoneViolation(name)],
  taxMode: (mode, path) => [enumViolation(path, mode, taxModes)],
  taxProvider: (provider, path) => [enumViolation(path, provider, taxProviders)],
  taxCountry: (country, path) => [country === null ? undefined : countryViolation(path, country)],
  taxRegistrations: registrationsViolations,
  disabledEmails: (kinds, path) => kinds.map((kind, index) => enumViolation(`${path}.${index}`, kind, emailKinds)),
  storePageEnabled: () => [],
}

function addressRule(text: string | null, path: string) {
  return [secureAddressViolation(path, text)]
}

function emailRule(text: string | null, path: string) {
  const isInvalid = text !== null && parseEmailAddress(text) === undefined
  return [isInvalid ? violation(path, 'format', 'must be an email address') : undefined]
}

/** One line of text, if it is set. */
function lineViolation(path: string, text: string | null, maxLength: number): Violation | undefined {
  return textViolation(path, text, maxLength, /\p{Cc}/u)
}

/** Lines of text, if they are set. */
function linesViolation(path: string, text: string | null, maxLength: number): Violation | undefined {
  return textViolation(path, text, maxLength, /[^\P{Cc}\n\t]/u)
}

function textViolation(path: string, text: string | null, maxLength: number, rejected: RegExp) {
  if (text === null) return undefined
  if (!hasLength(text, 1, maxLength)) return violation(path, 'length', `must have 1 to ${maxLength} characters`)
  return rejected.test(text) ? violation(path, 'pattern', 'must not contain control characters') : undefined
}

function textLines(text: string | null | undefined): string | null {
  return text?.replaceAll('\r\n', '\n').trim() ?? null
}

function colorViolation(color: string | null): Violation | undefined {
  if (color === null || /^#[0-9a-f]{6}$/.test(color)) return undefined
  return violation('accent_color', 'pattern', 'must be "#" and six hexadecimal digits, such as "#2457d6"')
}

function enumViolation<Value extends string>(
  path: string,
  value: Value,
  values: readonly Value[],
): Violation | undefined {
  return values.includes(value) ? undefined : violation(path, 'enum', `must be one of ${values.join(', ')}`)
}

/** Offsets such as "+01:00" are not names: they know no daylight saving time. */
function timeZoneViolation(name: string): Violation | undefined {
  const isName = name.length <= storeLimits.timeZoneLength && /^[A-Za-z]/.test(name) && isTimeZone(name)
  return isName
    ? undefined
    : violation('time_zone', 'enum', 'must be the IANA name of a time zone, such as "Europe/Berlin"')
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function registrationsViolations(registrations: readonly TaxRegistration[], path: string): Violation[] {
  const { taxRegistrations: max } = storeLimits
  if (registrations.length > max) return [violation(path, 'max', `must have at most ${max} entries`)]
  return registrations.flatMap(({ country, rate, name }, index) => {
    const at = (field: string) => `${path}.${index}.${field}`
    return [
      registrations.findIndex((other) => other.country === country) < index
        ? violation(at('country'), 'unique', 'is in another entry')
        : countryViolation(at('country'), country),
      rateViolation(at('rate'), rate, country),
      lineViolation(at('name'), name, storeLimits.taxNameLength),
    ].filter((one) => one !== undefined)
  })
}

function countryViolation(path: string, country: string): Violation | undefined {
  return isCountryCode(country)
    ? undefined
    : violation(path, 'enum', 'must be an upper-case ISO 3166-1 alpha-2 code, such as "DE"')
}

function rateViolation(path: string, rate: number | null, country: string): Violation | undefined {
  if (rate === null) {
    return euCountries.has(country)
      ? undefined
      : violation(path, 'required', 'is required outside of the European Union')
  }
  if (rate < 0) return violation(path, 'min', 'must be at least 0')
  return rate > storeLimits.taxRate ? violation(path, 'max', `must be at most ${storeLimits.taxRate}`) : undefined
}

interface Unchecked extends Omit<StoreDetails, 'taxMode' | 'taxProvider' | 'disabledEmails'> {
  taxMode: TaxMode | 'invalid'
  taxProvider: TaxProvider | 'invalid'
  disabledEmails: readonly (EmailKind | 'invalid')[]
}
