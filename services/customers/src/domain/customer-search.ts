import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { foldText } from '@storekeep/proto/conventions/folded-text'
import { customerLimits } from '@storekeep/proto/conventions/limits'
import { uncommonParts } from './folded-text.ts'

/** A search text, read every way that it can be meant. */
export interface CustomerSearch {
  /** Folded; a part of any of the customer's names. */
  partOfName: string
  /** What leads to names with that part: three letters in a row, its uncommon parts, or nothing better than reading. */
  nameIndex: 'letters' | 'uncommon' | 'none'
  uncommonParts: string[]
  /** The ids that the text could be, whole. */
  id: string | undefined
  steamId: string | undefined
  minecraftUuid: string | undefined
  xboxXuid: string | undefined
}

/** Undefined for an empty text, which restricts nothing. @throws ServiceFault `validation-failed` */
export function checkSearch(text: string | undefined): CustomerSearch | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const violations = textViolations('search', text, 0, customerLimits.searchLength)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const partOfName = foldText(text)
  const uncommon = uncommonParts(partOfName)
  return {
    partOfName,
    nameIndex: /[a-z0-9]{3}/.test(partOfName) ? 'letters' : uncommon.length > 0 ? 'uncommon' : 'none',
    uncommonParts: uncommon,
    id: isFlakeId(text) ? text : undefined,
    steamId: isSteamId(text) ? text : undefined,
    minecraftUuid: parseUuid(text),
    xboxXuid: isXboxXuid(text) ? text : undefined,
  }
}

/** Whether the text can be an id at all, so that it is worth asking for one. */
export function mayBeId(search: CustomerSearch): boolean {
  const { id, steamId, minecraftUuid, xboxXuid } = search
  return [id, steamId, minecraftUuid, xboxXuid].some((one) => one !== undefined)
}

/** The ids that a list is restricted to. @throws ServiceFault `validation-failed` naming each malformed one */
export function checkCustomerIds(ids: readonly string[]): readonly string[] | undefined {
  if (ids.length === 0) return undefined
  if (ids.length > customerLimits.idsPerFilter) {
    throw errors.validationFailed([
      violation('customer_id', 'max', `must be given at most ${customerLimits.idsPerFilter} times`),
    ])
  }
  const wrong = ids.flatMap((id, index) =>
    isFlakeId(id) ? [] : [violation(`customer_id.${index}`, 'format', 'must be an id')],
  )
  if (wrong.length > 0) throw errors.validationFailed(wrong)
  return ids
}
