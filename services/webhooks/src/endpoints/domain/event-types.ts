import { type Violation, violation } from '@storekeep/common/errors'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { everyType } from './endpoint.ts'

export interface EventTypeRules {
  isEventType: (name: string) => boolean
  /** The violation message for a name that is none. */
  notAnEventType: (name: string) => string
}

/** Validates the event types of an endpoint: known names, or only `*`. */
export function eventTypeViolations(
  names: readonly string[],
  { isEventType, notAnEventType }: EventTypeRules,
): Violation[] {
  const path = 'event_types'
  if (names.length === 0)
    return [violation(path, 'length', `must have at least one name, or ${everyType} for every type`)]
  const { eventTypes: max } = webhookEndpointLimits
  if (names.length > max) return [violation(path, 'length', `must have at most ${max} names`)]
  return names.flatMap((name, index) => {
    const at = `${path}.${index}`
    if (names.indexOf(name) < index) return [violation(at, 'unique', 'is a duplicate')]
    if (name === everyType) return names.length === 1 ? [] : [violation(at, 'exclusive', 'must be the only event type')]
    return isEventType(name) ? [] : [violation(at, 'enum', notAnEventType(name))]
  })
}
