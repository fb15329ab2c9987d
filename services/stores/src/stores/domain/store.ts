import type { EmailKind } from '@storekeep/proto/conventions/email-kinds'
/** A store: what is fixed when it is created, and the details that can change. */
export interface StoreState extends StoreIdentity, StoreDetails {}

export interface StoreIdentity {
  /** Unique across all stores, which is left to the database. */
  slug: string
  game: Game
  /** Lower-case ISO 4217. */
  currency: string
  bedrockPrefix: string
}

/** What a store says about itself to shoppers, and its settings. Null is unset. */
export interface StoreDetails {
  name: string
  /** Plain text. */
  description: string | null
  logoUrl: string | null
  logoSquareUrl: string | null
  /** The icon of browser tabs. */
  iconUrl: string | null
  /** "#2457d6", lower-case. Null: the default of the pages. */
  accentColor: string | null
  websiteUrl: string | null
  supportEmail: string | null
  /** Null: the support email. */
  replyTo: string | null
  termsUrl: string | null
  privacyUrl: string | null
  refundsUrl: string | null
  sellerName: string | null
  /** The lines of a postal address. */
  sellerAddress: string | null
  sellerTaxId: string | null
  sellerRegister: string | null
  /** IANA name. */
  timeZone: string
  taxMode: TaxMode
  taxProvider: TaxProvider
  /** Where the seller is established. */
  taxCountry: string | null
  /** Used with the provider "registrations". One per country. */
  taxRegistrations: readonly TaxRegistration[]
  /** The kinds of emails that the store does not send. */
  disabledEmails: readonly EmailKind[]
  storePageEnabled: boolean
}

/** The details with their names in the API. */
export const storeDetailFields = {
  name: 'name',
  description: 'description',
  logoUrl: 'logo_url',
  logoSquareUrl: 'logo_square_url',
  iconUrl: 'icon_url',
  accentColor: 'accent_color',
  websiteUrl: 'website_url',
  supportEmail: 'support_email',
  replyTo: 'reply_to',
  termsUrl: 'links.terms',
  privacyUrl: 'links.privacy',
  refundsUrl: 'links.refunds',
  sellerName: 'seller.name',
  sellerAddress: 'seller.address',
  sellerTaxId: 'seller.tax_id',
  sellerRegister: 'seller.register',
  timeZone: 'time_zone',
  taxMode: 'tax.mode',
  taxProvider: 'tax.provider',
  taxCountry: 'tax.country',
  taxRegistrations: 'tax.registrations',
  disabledEmails: 'disabled_emails',
  storePageEnabled: 'store_page_enabled',
} as const satisfies Record<keyof StoreDetails, string>

/** The tax of one country. */
export interface TaxRegistration {
  /** ISO 3166-1 alpha-2, upper-case. */
  country: string
  /** Hundredths of a percent. Null: the standard rate of a member state of the European Union. */
  rate: number | null
  /** As on receipts: "VAT". */
  name: string
}

export const games = ['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser'] as const
export type Game = (typeof games)[number]

export const taxModes = ['none', 'inclusive', 'exclusive'] as const
export type TaxMode = (typeof taxModes)[number]

export const taxProviders = ['registrations'] as const
export type TaxProvider = (typeof taxProviders)[number]
