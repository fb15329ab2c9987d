import { errors, type Violation, violation } from '@storekeep/common/errors'
import { pick } from '@storekeep/common/values'
import { type Game, games, type StoreState } from './store.ts'
import { type DetailsInput, detailViolations, toDetails, unsetDetails } from './store-details.ts'

/** The caller's input for a new store, not validated. */
export interface StoreInput extends Pick<DetailsInput, 'name'> {
  slug: string
  /** Undefined when absent or unknown. */
  game: Game | undefined
  currency: string
  bedrockPrefix?: string | undefined
  logoUrl?: string | undefined
  logoSquareUrl?: string | undefined
  accentColor?: string | undefined
}

/**
 * Validates a new store, whose other details are unset. Trims the name and lower-cases the currency and the color.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkStore(input: StoreInput): StoreState {
  const currency = input.currency.toLowerCase()
  const { slug, game, bedrockPrefix = '.' } = input
  const given = pick(input, ['name', 'logoUrl', 'logoSquareUrl', 'accentColor'])
  const details = toDetails({ ...unsetDetails, ...given })
  const violations = [
    slugViolation(slug),
    game ? undefined : violation('game', 'enum', `must be one of ${games.join(', ')}`),
    currencyViolation(currency),
    prefixViolation(bedrockPrefix),
    ...detailViolations(details),
  ].filter((one) => one !== undefined)
  if (!game || violations.length > 0) throw errors.validationFailed(violations)
  return { slug, game, currency, bedrockPrefix, ...details }
}

/** Whether a store can have this slug. */
export function isSlug(text: string): boolean {
  return slugViolation(text) === undefined
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
  if (/^[A-Za-z0-9_]/.test(prefix) || /[\s\p{Cc}]/u.test(prefix)) {
    return violation(
      'bedrock_prefix',
      'pattern',
      'must begin with a character that is not allowed in Java names, such as "."',
    )
  }
  return undefined
}

const maxSlugLength = 64
const maxPrefixLength = 4
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
