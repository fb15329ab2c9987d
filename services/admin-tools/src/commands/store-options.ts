import { create } from '@bufbuild/protobuf'
import {
  EmailKind,
  type Store,
  type StoreLinks,
  StoreLinksSchema,
  StoreSchema,
  type StoreSeller,
  StoreSellerSchema,
  type StoreTax,
  StoreTaxSchema,
  TaxMode,
  TaxProvider,
  type TaxRegistration,
  TaxRegistrationSchema,
} from '@storekeep/proto/stores/v1/store'
import { AdminError, type CommandOption, type OptionValues } from '../command.ts'
import { enumNames, enumValue } from '../enum-names.ts'

export const accentColorOption: CommandOption = {
  name: 'accent-color',
  value: '<color>',
  help: 'Color of buttons and links on the pages of shoppers: "#" and six hexadecimal digits.',
}

export const logoOption: CommandOption = { name: 'logo-url', value: '<url>', help: 'URL of the main logo.' }

export const squareLogoOption: CommandOption = {
  name: 'logo-square-url',
  value: '<url>',
  help: 'URL of the square logo, which the pages prefer.',
}

/** An option that changes one field of a store. */
interface StoreSetting extends CommandOption {
  /** Name of the field in a field mask. */
  field: string
  /** What an empty value does; without it, an empty value is invalid. */
  empty?: string
  /** Sets the field; not called for an empty value. */
  set: (parts: StoreParts, value: string) => void
}

interface StoreParts {
  store: Store
  links: StoreLinks
  seller: StoreSeller
  tax: StoreTax
}

const url = { value: '<url>', empty: 'removes it' }
const text = { value: '<text>', empty: 'removes it' }
const email = { value: '<email>', empty: 'removes it' }

const settings: readonly StoreSetting[] = [
  {
    name: 'name',
    value: '<text>',
    help: 'Display name.',
    field: 'name',
    set: ({ store }, value) => {
      store.name = value
    },
  },
  {
    ...text,
    name: 'description',
    help: 'What the store is, in plain text.',
    field: 'description',
    set: ({ store }, value) => {
      store.description = value
    },
  },
  {
    ...logoOption,
    empty: 'removes it',
    field: 'logo_url',
    set: ({ store }, value) => {
      store.logoUrl = value
    },
  },
  {
    ...squareLogoOption,
    empty: 'removes it',
    field: 'logo_square_url',
    set: ({ store }, value) => {
      store.logoSquareUrl = value
    },
  },
  {
    ...url,
    name: 'icon-url',
    help: 'URL of the icon in browser tabs.',
    field: 'icon_url',
    set: ({ store }, value) => {
      store.iconUrl = value
    },
  },
  {
    ...accentColorOption,
    empty: 'restores the default',
    field: 'accent_color',
    set: ({ store }, value) => {
      store.accentColor = value
    },
  },
  {
    ...url,
    name: 'website-url',
    help: 'URL of the website of the store.',
    field: 'website_url',
    set: ({ store }, value) => {
      store.websiteUrl = value
    },
  },
  {
    ...email,
    name: 'support-email',
    help: 'Where customers get help.',
    field: 'support_email',
    set: ({ store }, value) => {
      store.supportEmail = value
    },
  },
  {
    ...email,
    name: 'reply-to',
    help: 'Where replies to the emails of the store go.',
    empty: 'restores the support email',
    field: 'reply_to',
    set: ({ store }, value) => {
      store.replyTo = value
    },
  },
  {
    ...url,
    name: 'terms-url',
    help: 'URL of the terms of sale.',
    field: 'links.terms',
    set: ({ links }, value) => {
      links.terms = value
    },
  },
  {
    ...url,
    name: 'privacy-url',
    help: 'URL of the privacy policy.',
    field: 'links.privacy',
    set: ({ links }, value) => {
      links.privacy = value
    },
  },
  {
    ...url,
    name: 'refunds-url',
    help: 'URL of the refund policy.',
    field: 'links.refunds',
    set: ({ links }, value) => {
      links.refunds = value
    },
  },
  {
    ...text,
    name: 'seller-name',
    help: 'Company or person that sells.',
    field: 'seller.name',
    set: ({ seller }, value) => {
      seller.name = value
    },
  },
  {
    ...text,
    name: 'seller-address',
    help: 'Postal address of the seller; "\\n" starts a new line.',
    field: 'seller.address',
    set: ({ seller }, value) => {
      seller.address = value.replaceAll('\\n', '\n')
    },
  },
  {
    ...text,
    name: 'seller-tax-id',
    help: 'VAT id or other tax number of the seller.',
    field: 'seller.tax_id',
    set: ({ seller }, value) => {
      seller.taxId = value
    },
  },
  {
    ...text,
    name: 'seller-register',
    help: 'Register and number of the company.',
    field: 'seller.register',
    set: ({ seller }, value) => {
      seller.register = value
    },
  },
  {
    name: 'time-zone',
    value: '<name>',
    help: 'IANA name of the time zone of invoice numbers and tax reports, such as Europe/Berlin.',
    empty: 'restores UTC',
    field: 'time_zone',
    set: ({ store }, value) => {
      store.timeZone = value
    },
  },
  {
    name: 'tax-mode',
    value: '<mode>',
    help: `Whether the store charges taxes: ${enumNames(TaxMode).join(', ')}.`,
    field: 'tax.mode',
    set: ({ tax }, value) => {
      tax.mode = enumValue(TaxMode, value, '--tax-mode')
    },
  },
  {
    name: 'tax-provider',
    value: '<provider>',
    help: `Where the tax rates come from: ${enumNames(TaxProvider).join(', ')}.`,
    field: 'tax.provider',
    set: ({ tax }, value) => {
      tax.provider = enumValue(TaxProvider, value, '--tax-provider')
    },
  },
  {
    name: 'tax-country',
    value: '<code>',
    help: 'Where the seller is established, such as DE. Businesses in other countries of the EU are then charged no tax.',
    empty: 'clears it',
    field: 'tax.country',
    set: ({ tax }, value) => {
      tax.country = value
    },
  },
  {
    name: 'tax-registrations',
    value: '<list>',
    help: 'Where the store charges tax: comma-separated country:rate:name, with the rate in percent. Without a rate, the standard rate of the EU country.',
    empty: 'removes all',
    field: 'tax.registrations',
    set: ({ tax }, value) => {
      tax.registrations = value.split(',').map(readRegistration)
    },
  },
  {
    name: 'disabled-emails',
    value: '<list>',
    help: `Comma-separated kinds of emails that the store does not send: ${enumNames(EmailKind).join(', ')}.`,
    empty: 'enables all',
    field: 'disabled_emails',
    set: ({ store }, value) => {
      store.disabledEmails = value.split(',').map((kind) => enumValue(EmailKind, kind.trim(), '--disabled-emails'))
    },
  },
  {
    name: 'store-page',
    value: '<on or off>',
    help: 'Whether the hosted store page is open to everyone.',
    field: 'store_page_enabled',
    set: ({ store }, value) => {
      if (value !== 'on' && value !== 'off') throw new AdminError('--store-page must be on or off.')
      store.storePageEnabled = value === 'on'
    },
  },
]

/** The options that change a store. */
export const storeSettingOptions: readonly CommandOption[] = settings.map(({ name, value, help, empty, field }) => ({
  name,
  value,
  help: empty === undefined ? help : `${help} "" ${empty}.`,
  fields: [field],
}))

/**
 * The fields that the options change, with their new values. An empty value clears its field.
 * @throws AdminError if there is none, or for a value that cannot be read
 */
export function readStoreSettings(values: OptionValues): { store: Store; paths: string[] } {
  const links = create(StoreLinksSchema)
  const seller = create(StoreSellerSchema)
  const tax = create(StoreTaxSchema)
  const store = create(StoreSchema, { links, seller, tax })
  const given = settings.flatMap((setting) => {
    const value = values.optional(setting.name)
    return value === undefined ? [] : [{ ...setting, value }]
  })
  if (given.length === 0) {
    throw new AdminError(`Nothing to change: add ${settings.map(({ name }) => `--${name}`).join(', ')}.`)
  }
  for (const { value, empty, set } of given) {
    if (value !== '' || empty === undefined) set({ store, links, seller, tax }, value)
  }
  return { store, paths: given.map(({ field }) => field) }
}

/** "DE:19:VAT" */
function readRegistration(text: string): TaxRegistration {
  const [country = '', percent = '', ...name] = text.trim().split(':')
  if (name.length === 0 || !/^(\d{1,3}(\.\d{1,2})?)?$/.test(percent)) {
    throw new AdminError('--tax-registrations must be a list such as "DE:19:VAT,CH:8.1:VAT,AT::USt".')
  }
  const rate = percent === '' ? {} : { rate: Math.round(Number(percent) * 100) }
  return create(TaxRegistrationSchema, { country, ...rate, name: name.join(':') })
}
