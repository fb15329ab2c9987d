import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, maskedFields, pick } from '@storekeep/common/values'
import type { EndpointHealth } from './endpoint.ts'
import { checkEndpoint, type EndpointDraft, type EndpointInput, type EndpointRules } from './endpoint-draft.ts'
import { masked, withStoredValues } from './headers.ts'

/** The fields that a PATCH changes, not validated. */
export type EndpointChange = Partial<EndpointInput>

/** What a change may affect. */
export type EndpointState = EndpointDraft & EndpointHealth

/**
 * The fields of the input that the mask names.
 * @throws ServiceFault `bad-request` for an unknown field
 */
export function readChange(input: EndpointInput, mask: readonly string[]): EndpointChange {
  return pick(input, maskedFields(changeable, mask))
}

/**
 * The endpoint after the change; undefined if nothing changes. Enabling it forgets why it was disabled and since when it has
 * failed; another URL forgets the latter. Unchanged fields are validated only when the endpoint is enabled: the rules may have
 * changed since they were stored, and such an endpoint can still be disabled or corrected.
 *
 * Stored values of headers stay with the origin that they were entered for: a change of scheme, host or port must repeat them.
 * Otherwise anyone who can change the endpoint could send them to their own host.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function applyChange(
  before: EndpointState,
  change: EndpointChange,
  rules: EndpointRules,
): EndpointState | undefined {
  const stored = hasSameOrigin(change.url ?? before.url, before.url) ? before.headers : {}
  const headers = withStoredValues(change.headers ?? masked(before.headers), stored)
  const input = { ...pick(before, fieldsOf(changeable)), ...change, headers }
  const isEnabled = input.enabled && !before.enabled
  const terms = checkEndpoint(input, rules, (field) => isEnabled || !isDeepStrictEqual(input[field], before[field]))
  const { disabledReason, failingSince } = before
  const isMoved = input.url !== before.url
  const health = change.enabled ? healthy : { disabledReason, failingSince: isMoved ? null : failingSince }
  const after = { ...terms, ...health }
  return isDeepStrictEqual(after, pick(before, [...fieldsOf(changeable), 'disabledReason', 'failingSince']))
    ? undefined
    : after
}

/** An invalid URL has none, and is reported as such. */
function hasSameOrigin(url: string, other: string): boolean {
  const origin = URL.parse(url)?.origin
  return origin === undefined || origin === URL.parse(other)?.origin
}

/** The state of an endpoint that has not failed. */
export const healthy: EndpointHealth = { disabledReason: null, failingSince: null }

const changeable = {
  url: 'url',
  eventTypes: 'event_types',
  enabled: 'enabled',
  description: 'description',
  format: 'format',
  headers: 'headers',
} as const satisfies Record<keyof EndpointDraft, string>
