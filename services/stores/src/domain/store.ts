import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isWebAddress, maxWebAddressLength } from '@storekeep/common/values'

export const games = ['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser'] as const
export type Game = (typeof games)[number]

/** What a caller may say of a new store; nothing in it has been checked. */
export interface StoreInput {
  slug: string
  name: string
  /** Undefined when absent or unknown. */
  game: Game | undefined
  currency: string
  logoUrl: string | undefined
  logoSquareUrl: string | undefined
  bedrockPrefix: string | undefined
}

/** A store that keeps every rule but the uniqueness of its slug, which only the table can tell. */
export interface StoreDraft {
  slug: string
  name: string
  game: Game
  /** Lower-case ISO 4217. */
  currency: string
  logoUrl: string | null
  logoSquareUrl: string | null
  bedrockPrefix: string
}

/**
 * The one way to a StoreDraft. The name loses outer white space and the currency its capitals.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkStore(input: StoreInput): StoreDraft {
  const name = input.name.trim()
  const currency = input.currency.toLowerCase()
  const { slug, game, logoUrl = null, logoSquareUrl = null, bedrockPrefix = '.' } = input
  const violations = [
    slugViolation(slug),
    nameViolation(name),
    game ? undefined : violation('game', 'enum', `must be one of ${games.join(', ')}`),
    currencyViolation(currency),
    urlViolation('logo_url', logoUrl),
    urlViolation('logo_square_url', logoSquareUrl),
    prefixViolation(bedrockPrefix),
  ].filter((one) => one !== undefined)
  if (!game || violations.length > 0) throw errors.validationFailed(violations)
  return { slug, name, game, currency, logoUrl, logoSquareUrl, bedrockPrefix }
}

/** A name that people recognise a store or a key by. */
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
    return violation('slug', 'pattern', 'may hold a-z, 0-9 and, between these, single hyphens')
  }
  return undefined
}

function currencyViolation(currency: string): Violation | undefined {
  if (currency === '') return violation('currency', 'required', 'is required')
  return currencies.has(currency) ? undefined : violation('currency', 'enum', 'must be an ISO 4217 currency code')
}

function urlViolation(path: string, url: string | null): Violation | undefined {
  if (url === null) return undefined
  if (url.length > maxWebAddressLength)
    return violation(path, 'length', `must have at most ${maxWebAddressLength} characters`)
  return isWebAddress(url) ? undefined : violation(path, 'format', 'must be an absolute http or https address')
}

/** A prefix that could begin a Java name would make Bedrock players and Java players each other's doubles. */
function prefixViolation(prefix: string): Violation | undefined {
  const { length } = [...prefix]
  if (length < 1 || length > maxPrefixLength) {
    return violation('bedrock_prefix', 'length', `must have 1 to ${maxPrefixLength} characters`)
  }
  if (/^[A-Za-z0-9_]/.test(prefix) || /\s/.test(prefix) || controlCharacter.test(prefix)) {
    return violation('bedrock_prefix', 'pattern', 'must begin with a character that no Java name has, such as "."')
  }
  return undefined
}

const maxNameLength = 128
const maxSlugLength = 64
const maxPrefixLength = 4
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const controlCharacter = /\p{Cc}/u
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
