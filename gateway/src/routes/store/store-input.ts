import type { MessageInitShape } from '@bufbuild/protobuf'
import { present } from '@storekeep/common/message'
import { isCountryCode } from '@storekeep/proto/conventions/countries'
import { storeLimits } from '@storekeep/proto/conventions/limits'
import type { StoreSchema } from '@storekeep/proto/stores/v1/store'
import { emailKind, emailKindValues } from '@storekeep/records/emails/email-enums'
import { emailAddress, fails, int32, text } from '@storekeep/records/schemas/fields'
import {
  storeText,
  taxMode,
  taxModeValues,
  taxProvider,
  taxProviderValues,
} from '@storekeep/records/stores/store-settings-dto'
import { z } from 'zod'
import { secureAddress } from '../../schemas/web-address.ts'

const linksPatch = z
  .object({
    terms: secureAddress.nullish().describe(storeText.terms),
    privacy: secureAddress.nullish().describe(storeText.privacy),
    refunds: secureAddress.nullish().describe(storeText.refunds),
  })
  .meta({ id: 'UpdateStoreLinksDto', description: 'Changes to the legal pages of a store.' })

const sellerPatch = z
  .object({
    name: text(1, storeLimits.sellerNameLength).nullish().describe(storeText.seller_name),
    address: text(1, storeLimits.addressLength).nullish().describe(storeText.address),
    tax_id: text(1, storeLimits.taxIdLength).nullish().describe(storeText.tax_id),
    register: text(1, storeLimits.registerLength).nullish().describe(storeText.register),
  })
  .meta({ id: 'UpdateStoreSellerDto', description: 'Changes to the seller behind a store.' })

const countryCode = z
  .string()
  .refine(isCountryCode, fails('enum', 'must be an upper-case ISO 3166-1 alpha-2 code, such as "DE"'))
  .meta({ override: { pattern: '^[A-Z]{2}$' } })

const registrationInput = z
  .object({
    country: countryCode.describe(storeText.country),
    rate: int32(0, storeLimits.taxRate).nullish().describe(storeText.rate),
    name: text(1, storeLimits.taxNameLength).describe(storeText.tax_name),
  })
  .meta({ id: 'TaxRegistrationInputDto', description: 'The tax of one country.' })

const taxPatch = z
  .object({
    mode: taxMode.optional().describe(storeText.mode),
    provider: taxProvider.optional().describe(storeText.provider),
    country: countryCode.nullish().describe(storeText.tax_country),
    registrations: z
      .array(registrationInput)
      .max(storeLimits.taxRegistrations)
      .optional()
      .describe(storeText.registrations),
  })
  .meta({ id: 'UpdateStoreTaxDto', description: 'Changes to how a store charges taxes.' })

export const storePatch = z
  .object({
    name: text(1, storeLimits.nameLength).optional().describe(storeText.name),
    description: text(1, storeLimits.descriptionLength).nullish().describe(storeText.description),
    logo_url: secureAddress.nullish().describe(storeText.logo_url),
    logo_square_url: secureAddress.nullish().describe(storeText.logo_square_url),
    icon_url: secureAddress.nullish().describe(storeText.icon_url),
    accent_color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, fails('pattern', 'must be "#" and six hexadecimal digits, such as "#2457d6"'))
      .nullish()
      .describe(storeText.accent_color),
    website_url: secureAddress.nullish().describe(storeText.website_url),
    support_email: emailAddress.nullish().describe(storeText.support_email),
    reply_to: emailAddress.nullish().describe(storeText.reply_to),
    links: linksPatch.nullish().describe(`${storeText.links} null clears all of them.`),
    seller: sellerPatch.nullish().describe(`${storeText.seller} null clears all fields.`),
    time_zone: text(1, storeLimits.timeZoneLength).optional().describe(storeText.time_zone),
    tax: taxPatch.optional().describe(storeText.tax),
    disabled_emails: z
      .array(emailKind)
      .max(Object.keys(emailKindValues).length)
      .optional()
      .describe(storeText.disabled_emails),
    store_page_enabled: z.boolean().optional().describe(storeText.store_page_enabled),
  })
  .meta({ id: 'UpdateStoreSettingsDto', description: 'Changes to the settings of the store.' })

/** The body as the stores service expects it. */
export function storeMessage(body: z.output<typeof storePatch>): MessageInitShape<typeof StoreSchema> {
  const { links, seller, tax } = body
  return present({
    name: body.name ?? '',
    description: body.description,
    logoUrl: body.logo_url,
    logoSquareUrl: body.logo_square_url,
    iconUrl: body.icon_url,
    accentColor: body.accent_color,
    websiteUrl: body.website_url,
    supportEmail: body.support_email,
    replyTo: body.reply_to,
    links: links && present(links),
    seller: seller && present({ ...seller, taxId: seller.tax_id }),
    timeZone: body.time_zone,
    tax:
      tax &&
      present({
        mode: tax.mode && taxModeValues[tax.mode],
        provider: tax.provider && taxProviderValues[tax.provider],
        country: tax.country,
        registrations: (tax.registrations ?? []).map(present),
      }),
    disabledEmails: (body.disabled_emails ?? []).map((kind) => emailKindValues[kind]),
    storePageEnabled: body.store_page_enabled,
  })
}

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function storeMask({ links, seller, tax, ...fields }: z.output<typeof storePatch>): string[] {
  return [
    ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...memberMask('links', linksPatch, links),
    ...memberMask('seller', sellerPatch, seller),
    ...memberMask('tax', taxPatch, tax),
  ]
}

/** null stands for all members. */
function memberMask(name: string, { shape }: z.ZodObject, value: Readonly<Record<string, unknown>> | null | undefined) {
  if (value === undefined) return []
  const members = Object.keys(shape).filter((member) => value === null || value[member] !== undefined)
  return members.map((member) => `${name}.${member}`)
}
