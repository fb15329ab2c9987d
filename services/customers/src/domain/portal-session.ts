import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'

export const portalFlowKinds = ['subscription_cancel', 'subscription_payment_method_update'] as const
export type PortalFlowKind = (typeof portalFlowKinds)[number]

/** What a caller asks of a new session; nothing in it has been checked. */
export interface PortalSessionInput {
  flow: { kind: PortalFlowKind; subscriptionId: string } | undefined
  expiresInSeconds: number
  returnUrl: string | undefined
}

export interface PortalSessionDraft {
  flow: PortalFlowKind | null
  subscriptionId: string | null
  returnUrl: string | null
  expiresInSeconds: number
}

/** @throws ServiceFault `validation-failed` naming every wrong member */
export function checkPortalSession(input: PortalSessionInput): PortalSessionDraft {
  const { flow, expiresInSeconds, returnUrl } = input
  const violations: Violation[] = []
  if (flow && !isFlakeId(flow.subscriptionId)) {
    violations.push(violation(`flow.${flow.kind}.subscription_id`, 'format', 'must be an id'))
  }
  if (expiresInSeconds < minSeconds) violations.push(violation('expires_in', 'min', 'must be at least PT1M'))
  if (expiresInSeconds > maxSeconds) violations.push(violation('expires_in', 'max', 'must be at most P7D'))
  if (returnUrl !== undefined && !isWebAddress(returnUrl)) {
    violations.push(violation('return_url', 'format', 'must be an absolute http or https address without credentials'))
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return {
    flow: flow?.kind ?? null,
    subscriptionId: flow?.subscriptionId ?? null,
    returnUrl: returnUrl ?? null,
    expiresInSeconds,
  }
}

/** Browsers are sent there as it is, so what a URL parser would silently strip or repair is refused instead. */
function isWebAddress(url: string): boolean {
  if (url.length > maxUrlLength || !/^https?:\/\/[^\s\\]+$/i.test(url) || /\p{Cc}/u.test(url)) return false
  const parsed = URL.parse(url)
  return parsed !== null && parsed.username === '' && parsed.password === ''
}

const minSeconds = 60
const maxSeconds = 7 * 24 * 3600
const maxUrlLength = 2048
