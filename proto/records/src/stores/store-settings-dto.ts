import { storeLimits } from '@storekeep/proto/conventions/limits'
import { type Store, TaxMode, TaxProvider } from '@storekeep/proto/stores/v1/store'
import { z } from 'zod'
import { emailKind, emailKindValues } from '../emails/email-enums.ts'
import { nameOf, namesOf } from '../schemas/enums.ts'
import { int32 } from '../schemas/fields.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { storeDto, storeDtoSchema, storeExample } from '../storefront/store-dto.ts'

export const taxModeValues = {
  none: TaxMode.NONE,
  inclusive: TaxMode.INCLUSIVE,
  exclusive: TaxMode.EXCLUSIVE,
} as const

export const taxProviderValues = {
  registrations: TaxProvider.REGISTRATIONS,
} as const

export const taxMode = z.enum(namesOf(taxModeValues)).meta({
  id: 'TaxModeDto',
  description:
    'Whether the store charges taxes: `none`, `inclusive` if prices contain the tax, `exclusive` if it is added to them.',
})
export const taxProvider = z
  .enum(namesOf(taxProviderValues))
  .meta({ id: 'TaxProviderDto', description: 'Where the tax rates come from.' })

const secureAddress = 'An https URL; http only on a loopback host.'

/** Descriptions of the fields, the same in requests and responses. */
export const storeText = {
  name: 'Name of the store, as shoppers see it.',
  description: 'What the store is, in plain text.',
  logo_url: `URL of the logo. ${secureAddress}`,
  logo_square_url: `URL of the square logo, which the pages prefer. ${secureAddress}`,
  icon_url: `URL of the icon in browser tabs. ${secureAddress}`,
  accent_color:
    'Color of buttons and links on the pages of shoppers: `#` and six hexadecimal digits. null for the default.',
  website_url: `URL of the website of the store. ${secureAddress}`,
  support_email: 'Where customers of the store get help.',
  reply_to: 'Where replies to the emails of the store go; null for `support_email`.',
  links: 'The legal pages of the store, which the pages of shoppers link to.',
  terms: `URL of the terms of sale. ${secureAddress}`,
  privacy: `URL of the privacy policy. ${secureAddress}`,
  refunds: `URL of the refund policy. ${secureAddress}`,
  seller: 'Who sells, as the pages of shoppers, receipts and emails name it.',
  seller_name: 'Name of the company or person.',
  address: 'Postal address, with line breaks.',
  tax_id: 'VAT id or other tax number.',
  register: 'Register and number of the company.',
  time_zone: 'IANA name of the time zone whose days and years are used in tax reports and invoice numbers.',
  tax: 'How the store charges taxes.',
  mode: 'Whether the store charges taxes.',
  provider: 'Where the tax rates come from: `registrations`.',
  tax_country:
    'Country where the seller is established: ISO 3166-1 alpha-2, upper-case. Businesses in other countries of the European Union that ' +
    'give a VAT id are charged no tax. null: they are charged tax like everyone else.',
  registrations: 'Where the store charges tax with the provider `registrations`: one entry per country.',
  country: 'Country: ISO 3166-1 alpha-2, upper-case.',
  rate: `Hundredths of a percent, up to ${storeLimits.taxRate}: 1900 is 19 %. null for the standard rate of a member state of the European Union.`,
  tax_name: 'Name of the tax on receipts, such as `VAT`.',
  disabled_emails: 'The kinds of emails that the store does not send.',
  store_page_enabled: 'Whether the hosted store page is open to everyone.',
} as const

export const taxRegistrationDtoSchema = z
  .object({
    country: z.string().describe(storeText.country),
    rate: int32(0, storeLimits.taxRate).nullable().describe(storeText.rate),
    name: z.string().describe(storeText.tax_name),
  })
  .meta({ id: 'TaxRegistrationDto', description: 'The tax of one country.' })

export const storeSettingsDtoSchema = storeDtoSchema
  .extend({
    name: z.string().describe(storeText.name),
    bedrock_prefix: z.string().describe('Prefix of Bedrock names, which only Geyser stores use.'),
    description: z.string().nullable().describe(storeText.description),
    icon_url: z.string().nullable().describe(storeText.icon_url),
    accent_color: z.string().nullable().describe(storeText.accent_color),
    website_url: z.string().nullable().describe(storeText.website_url),
    support_email: z.string().nullable().describe(storeText.support_email),
    reply_to: z.string().nullable().describe(storeText.reply_to),
    links: z
      .object({
        terms: z.string().nullable().describe(storeText.terms),
        privacy: z.string().nullable().describe(storeText.privacy),
        refunds: z.string().nullable().describe(storeText.refunds),
      })
      .meta({ id: 'StoreLinksDto', description: 'The legal pages of a store.' })
      .describe(storeText.links),
    seller: z
      .object({
        name: z.string().nullable().describe(storeText.seller_name),
        address: z.string().nullable().describe(storeText.address),
        tax_id: z.string().nullable().describe(storeText.tax_id),
        register: z.string().nullable().describe(storeText.register),
      })
      .meta({ id: 'StoreSellerDto', description: 'The seller behind a store.' })
      .describe(storeText.seller),
    time_zone: z.string().describe(storeText.time_zone),
    tax: z
      .object({
        mode: taxMode.describe(storeText.mode),
        provider: taxProvider.describe(storeText.provider),
        country: z.string().nullable().describe(storeText.tax_country),
        registrations: z.array(taxRegistrationDtoSchema).describe(storeText.registrations),
      })
      .meta({ id: 'StoreTaxDto', description: 'How a store charges taxes.' })
      .describe(storeText.tax),
    disabled_emails: z.array(emailKind).describe(storeText.disabled_emails),
    store_page_enabled: z.boolean().describe(storeText.store_page_enabled),
    created_at: dateTime.describe('When the store was created.'),
    updated_at: dateTime.nullable().describe('When the store last changed; null if it never changed.'),
  })
  .meta({ id: 'StoreSettingsDto', description: 'A store with all of its settings.' })

export type StoreSettingsDto = z.input<typeof storeSettingsDtoSchema>

export function storeSettingsDto(store: Store | undefined): StoreSettingsDto {
  if (!store?.createdAt) throw new Error('A service returned no store.')
  const { links, seller, tax } = store
  return {
    ...storeDto(store),
    bedrock_prefix: store.bedrockPrefix,
    description: store.description ?? null,
    icon_url: store.iconUrl ?? null,
    accent_color: store.accentColor ?? null,
    website_url: store.websiteUrl ?? null,
    support_email: store.supportEmail ?? null,
    reply_to: store.replyTo ?? null,
    links: { terms: links?.terms ?? null, privacy: links?.privacy ?? null, refunds: links?.refunds ?? null },
    seller: {
      name: seller?.name ?? null,
      address: seller?.address ?? null,
      tax_id: seller?.taxId ?? null,
      register: seller?.register ?? null,
    },
    time_zone: store.timeZone,
    tax: {
      mode: nameOf<keyof typeof taxModeValues, number>(taxModeValues, tax?.mode ?? TaxMode.NONE),
      provider: nameOf<keyof typeof taxProviderValues, number>(
        taxProviderValues,
        tax?.provider ?? TaxProvider.REGISTRATIONS,
      ),
      country: tax?.country ?? null,
      registrations: (tax?.registrations ?? []).map(({ country, rate, name }) => ({
        country,
        rate: rate ?? null,
        name,
      })),
    },
    disabled_emails: store.disabledEmails.map((kind) =>
      nameOf<keyof typeof emailKindValues, number>(emailKindValues, kind),
    ),
    store_page_enabled: store.storePageEnabled,
    created_at: printTime(store.createdAt),
    updated_at: printTime(store.updatedAt),
  }
}

export const storeSettingsExample: StoreSettingsDto = {
  ...storeExample,
  bedrock_prefix: '.',
  description: 'Kits and ranks for our Rust servers.',
  icon_url: 'https://img.example.com/rusty-hut-icon.png',
  accent_color: '#b45309',
  website_url: 'https://rusty-hut.example.com',
  support_email: 'help@rusty-hut.example.com',
  reply_to: null,
  links: {
    terms: 'https://rusty-hut.example.com/terms',
    privacy: 'https://rusty-hut.example.com/privacy',
    refunds: null,
  },
  seller: {
    name: 'Rusty Hut GmbH',
    address: 'Beispielstraße 1\n10115 Berlin\nGermany',
    tax_id: 'DE123456789',
    register: 'Amtsgericht Charlottenburg, HRB 123456',
  },
  time_zone: 'Europe/Berlin',
  tax: {
    mode: 'inclusive',
    provider: 'registrations',
    country: 'DE',
    registrations: [{ country: 'DE', rate: 1900, name: 'VAT' }],
  },
  disabled_emails: [],
  store_page_enabled: false,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_at: null,
}
