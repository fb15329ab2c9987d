import { errors, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { webAddressViolation } from '@storekeep/common/values'
import { portalSessionLimits } from '@storekeep/proto/conventions/limits'
import { type Epochs, isRevoked } from '../../tokens/domain/token-rules.ts'

export const portalFlowKinds = ['subscription_cancel', 'subscription_payment_method_update'] as const
export type PortalFlowKind = (typeof portalFlowKinds)[number]

/** The caller's input for a new session, not validated. */
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

/**
 * Whether a session, or the token of its link, is still accepted: it has not expired, and neither epoch was raised since its
 * creation. So revoking a customer's tokens also ends their portal sessions.
 */
export function isLive(session: Epochs & { expiresAt: Date }, current: Epochs, now: Date): boolean {
  return session.expiresAt > now && !isRevoked(session, current)
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkPortalSession(input: PortalSessionInput): PortalSessionDraft {
  const { flow, expiresInSeconds, returnUrl } = input
  const violations = [
    ...idViolations(`flow.${flow?.kind}.subscription_id`, flow?.subscriptionId),
    expiresInSeconds < portalSessionLimits.minSeconds
      ? violation('expires_in', 'min', 'must be at least PT1M')
      : undefined,
    expiresInSeconds > portalSessionLimits.maxSeconds
      ? violation('expires_in', 'max', 'must be at most P7D')
      : undefined,
    webAddressViolation('return_url', returnUrl),
  ].filter((one) => one !== undefined)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return {
    flow: flow?.kind ?? null,
    subscriptionId: flow?.subscriptionId ?? null,
    returnUrl: returnUrl ?? null,
    expiresInSeconds,
  }
}
