import { errors } from '@storekeep/common/errors'
import { maskedFields, pick } from '@storekeep/common/values'
import { type StoreDetails, storeDetailFields } from './store.ts'
import { type DetailsInput, detailViolations, toDetails } from './store-details.ts'

/**
 * Validates the fields that the mask names and ignores the others.
 * @returns the new values of these fields
 * @throws ServiceFault `validation-failed` naming every invalid field, `bad-request` if the mask names a field that
 * cannot change
 */
export function checkStoreChange(input: DetailsInput, mask: readonly string[]): Partial<StoreDetails> {
  const fields = maskedFields(storeDetailFields, mask)
  const details = toDetails(input)
  const violations = detailViolations(details, new Set(fields))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return pick(details, fields)
}
