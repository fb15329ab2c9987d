import { errors, type Violation, violation } from '@storekeep/common/errors'
import type { TargetRules } from '@storekeep/common/targets'
import { textViolations } from '@storekeep/common/values'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { type EndpointTerms, type Headers, type WebhookFormat, webhookFormats } from './endpoint.ts'
import { type EventTypeRules, eventTypeViolations } from './event-types.ts'
import { headerViolations } from './headers.ts'
import { urlViolations } from './url.ts'

/** An endpoint as requested, not validated. */
export type EndpointInput = Omit<EndpointTerms, 'format'> & { format: WebhookFormat | 'invalid'; headers: Headers }

/** A valid endpoint. */
export type EndpointDraft = EndpointTerms & { headers: Headers }

export interface EndpointRules extends TargetRules, EventTypeRules {}

/**
 * Validates the fields of an endpoint that `isChecked` selects; by default all.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkEndpoint(
  input: EndpointInput,
  rules: EndpointRules,
  isChecked: (field: keyof EndpointInput) => boolean = () => true,
): EndpointDraft {
  const { format } = input
  const violations: Violation[] = [
    ...(isChecked('url') ? urlViolations(input.url, rules) : []),
    ...(isChecked('eventTypes') ? eventTypeViolations(input.eventTypes, rules) : []),
    ...(isChecked('description') ? descriptionViolations(input.description) : []),
    ...(isChecked('headers') ? headerViolations(input.headers) : []),
  ]
  if (format === 'invalid') {
    violations.push(violation('format', 'enum', `must be one of ${webhookFormats.join(', ')}`))
  }
  if (format === 'invalid' || violations.length > 0) throw errors.validationFailed(violations)
  return { ...input, format }
}

function descriptionViolations(description: string): Violation[] {
  return textViolations('description', description, 0, webhookEndpointLimits.descriptionLength)
}
