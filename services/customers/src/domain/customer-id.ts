import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'

/** @throws ServiceFault `validation-failed` for a text that is no flake id */
export function checkCustomerId(text: string): string {
  if (isFlakeId(text)) return text
  throw errors.validationFailed([violation('customer_id', 'format', 'must be an id')])
}
