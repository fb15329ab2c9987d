import { errors, violation } from '@storekeep/common/errors'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'

/** A signing secret in the form of the specification Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function createSigningSecret(randomBytes: (size: number) => Buffer): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * When the present secrets of a rotated endpoint end.
 * @param overlapSeconds undefined: a day
 * @throws ServiceFault `validation-failed` if it is out of range
 */
export function endOfOverlap(overlapSeconds: number | undefined, now: Date): Date {
  const { max, default: usual } = webhookEndpointLimits.overlapSeconds
  const seconds = overlapSeconds ?? usual
  if (seconds < 0 || seconds > max) {
    const kind = seconds < 0 ? 'min' : 'max'
    throw errors.validationFailed([violation('overlap_seconds', kind, `must be from 0 to ${max}`)])
  }
  return new Date(now.getTime() + seconds * 1000)
}
