import { errors, type Violation, violation } from '@storekeep/common/errors'
import { webAddressViolation } from '@storekeep/common/values'

export const games = ['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser'] as const
export type Game = (typeof games)[number]

/** The caller's input for a new store, not validated. */
export interface StoreInput {
  slug: string
  name: string
  /** Undefined when absent or unknown. */
  game: Game | undefined
  currency: string
  logoUrl: string | undefined
  logoSquareUrl: string | undefined
  bedrockPrefix: string | undefined
  accentColor: string | undefined
}

/** A validated store. Uniqueness of the slug is left to the database. */
export interface StoreDraft {
  slug: string
  name: string
  game: Game
  /** Lower-case ISO 4217. */
  currency: string
  logoUrl: string | null
  logoSquareUrl: string | null
  bedrockPrefix: string
  /** "#2457d6", lower-case. Null: the default of the pages. */
  accentColor: string | null
}

/**
 * Validates a new store. Trims the name and lower-cases the currency and the color.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkStore(input: StoreInput): StoreDraft {
  const name = input.name.trim()
  const currency = input.currency.toLowerCase()
  const accentColor = input.accentColor?.toLowerCase() ?? null
  const { slug, game, logoUrl = null, logoSquareUrl = null, bedrockPrefix = '.' } = input
  const violations = [
    slugViolation(slug),
    nameViolation(name),
    game ? undefined : violation('game', 'enum', `must be one of ${games.join(', ')}`),
    currencyViolation(currency),
    webAddressViolation('logo_url', logoUrl),
    webAddressViolation('logo_square_url', logoSquareUrl),
    prefixViolation(bedrockPrefix),
    colorViolation(accentColor),
  ].filter((one) => one !== undefined)
  if (!game || violations.length > 0) throw errors.validationFailed(violations)
  return { slug, name, game, currency, logoUrl, logoSquareUrl, bedrockPrefix, accentColor }
}

/** The fields of a store that can be changed. */
type Changeable = 'name' | 'logoUrl' | 'logoSquareUrl' | 'accentColor'
export type StoreChange = Partial<Pick<StoreDraft, Changeable>>

/**
 * Validates the fields named in the mask and ignores the others. An absent logo or color clears the field.
 * @throws ServiceFault `validation-failed` naming every invalid field, `bad-request` if the mask names another field
 */
export function checkStoreChange(input: Pick<StoreInput, Changeable>, mask: readonly string[]): StoreChange {
  const change: StoreChange = {}
  const violations: (Violation | undefined)[] = []
  for (const path of new Set(mask)) {
    switch (path) {
      case 'name':
        change.name = input.name.trim()
        violations.push(nameViolation(change.name))
        break
      case 'logo_url':
        change.logoUrl = input.logoUrl ?? null
        violations.push(webAddressViolation(path, change.logoUrl))
        break
      case 'logo_square_url':
        change.logoSquareUrl = input.logoSquareUrl ?? null
        violations.push(webAddressViolation(path, change.logoSquareUrl))
        break
      case 'accent_color':
        change.accentColor = input.accentColor?.toLowerCase() ?? null
        violations.push(colorViolation(change.accentColor))
        break
      default:
        throw errors.badRequest(`The field mask names "${path}", which cannot be changed.`)
    }
  }
  const found = violations.filter((one) => one !== undefined)
  if (found.length > 0) throw errors.validationFailed(found)
  return change
}

/** Also the rule for names of API keys. */
export function nameViolation(name: string): Violation | undefined {
  if (name === '') return violation('name', 'required', 'is required')
  if ([...name].length > maxNameLength) {
    return violation('name', 'length', `must have at most ${maxNameLength} characters`)
  }
  if (controlCharacter.test(name)) return violation('name', 'pattern', 'must not hold control characters')
  return undefined
}

function slugViolation(slug: string): Violation | undefined {
  if (slug === '') return violation('slug', 'required', 'is required')
  if (slug.length > maxSlugLength) {
    return violation('slug', 'length', `must have at most ${maxSlugLength} characters`)
  }
  if (!slugPattern.test(slug)) {
    return violation('slug', 'pattern', 'may contain a-z, 0-9 and single hyphens between them')
  }
  return undefined
}

function currencyViolation(currency: string): Violation | undefined {
  if (currency === '') return violation('currency', 'required', 'is required')
  return currencies.has(currency) ? undefined : violation('currency', 'enum', 'must be an ISO 4217 currency code')
}

/** A prefix that can begin a Java name would make Bedrock and Java names ambiguous. */
function prefixViolation(prefix: string): Violation | undefined {
  const { length } = [...prefix]
  if (length < 1 || length > maxPrefixLength) {
    return violation('bedrock_prefix', 'length', `must have 1 to ${maxPrefixLength} characters`)
  }
  if (/^[A-Za-z0-9_]/.test(prefix) || /\s/.test(prefix) || controlCharacter.test(prefix)) {
    return violation(
      'bedrock_prefix',
      'pattern',
      'must begin with a character that is not allowed in Java names, such as "."',
    )
  }
  return undefined
}

function colorViolation(color: string | null): Violation | undefined {
  if (color === null || /^#[0-9a-f]{6}$/.test(color)) return undefined
  return violation('accent_color', 'pattern', 'must be "#" and six hexadecimal digits, such as "#2457d6"')
}

const maxNameLength = 128
const maxSlugLength = 64
const maxPrefixLength = 4
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const controlCharacter = /\p{Cc}/u
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
