import { errors, violation } from '@storekeep/common/errors'
import { idViolations, isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { shortNgrams } from './search-columns.ts'

/** A search text in every interpretation. */
export interface CustomerSearch {
  /** Case-folded substring of any name of the customer. */
  nameSubstring: string
  /** The index that can find the substring: trigrams, short n-grams, or none. */
  nameIndex: 'trigrams' | 'short_ngrams' | 'none'
  shortNgrams: string[]
  /** Set when the whole text is a well-formed id of this kind. */
  id: string | undefined
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
}

/** @returns undefined for an empty text, which matches everything. @throws ServiceFault `validation-failed` */
export function checkSearch(text: string | undefined): CustomerSearch | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const violations = textViolations('search', text, 0, customerLimits.searchLength)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const nameSubstring = foldText(text)
  const ngrams = shortNgrams(nameSubstring)
  return {
    nameSubstring,
    nameIndex: /[a-z0-9]{3}/.test(nameSubstring) ? 'trigrams' : ngrams.length > 0 ? 'short_ngrams' : 'none',
    shortNgrams: ngrams,
    id: isFlakeId(text) ? text : undefined,
    steamId: isSteamId(text) ? text : undefined,
    minecraftUuid: parseUuid(text),
    xboxXuid: parseXboxXuid(text),
  }
}

/** True when the text is a well-formed id of any kind. */
export function hasIdCandidate(search: CustomerSearch): boolean {
  const { id, steamId, minecraftUuid, xboxXuid } = search
  return [id, steamId, minecraftUuid, xboxXuid].some((one) => one !== undefined)
}

/** Validates the id filter. @throws ServiceFault `validation-failed` naming every malformed id */
export function checkCustomerIds(ids: readonly string[]): readonly string[] | undefined {
  if (ids.length === 0) return undefined
  if (ids.length > customerLimits.idsPerFilter) {
    throw errors.validationFailed([
      violation('customer_id', 'max', `must be given at most ${customerLimits.idsPerFilter} times`),
    ])
  }
  const wrong = ids.flatMap((id, index) => idViolations(`customer_id.${index}`, id))
  if (wrong.length > 0) throw errors.validationFailed(wrong)
  return ids
}
