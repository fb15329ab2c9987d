import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import type { DeliveryStatus } from './delivery-filter.ts'

/** Which deliveries of an endpoint are sent again. */
export interface ResendRange {
  since: Date
  until: Date
  /** Empty: every type. */
  eventTypes: readonly string[]
  onlyFailed: boolean
  /** Id of the delivery behind which to continue; undefined to start with the first. */
  after: string | undefined
}

/** A range as requested; a time is undefined if it is absent. */
export type ResendRangeInput = Omit<ResendRange, 'since' | 'until'> & Record<'since' | 'until', Date | undefined>

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkResendRange({ since, until, ...others }: ResendRangeInput): ResendRange {
  const violations: Violation[] = []
  if (!since) violations.push(violation('since', 'required', 'is required'))
  if (!until) violations.push(violation('until', 'required', 'is required'))
  if (since && until && since >= until) violations.push(violation('until', 'min', 'must be after since'))
  violations.push(...idViolations('after', others.after))
  if (!since || !until || violations.length > 0) throw errors.validationFailed(violations)
  return { since, until, ...others }
}

/** An event with a delivery to the endpoint in one of these states is not sent again. */
export function notResent({ onlyFailed }: Pick<ResendRange, 'onlyFailed'>): readonly DeliveryStatus[] {
  return onlyFailed ? ['pending', 'succeeded'] : ['pending']
}
