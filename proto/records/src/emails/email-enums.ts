import { EmailStatus } from '@storekeep/proto/emails/v1/email'
import { EmailKind } from '@storekeep/proto/stores/v1/store'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

export const emailKindValues = {
  receipt: EmailKind.RECEIPT,
  refund: EmailKind.REFUND,
  gift_received: EmailKind.GIFT_RECEIVED,
  subscription_renewed: EmailKind.SUBSCRIPTION_RENEWED,
  payment_failed: EmailKind.PAYMENT_FAILED,
  subscription_ending: EmailKind.SUBSCRIPTION_ENDING,
} as const

export const emailKind = z
  .enum(namesOf(emailKindValues))
  .meta({ id: 'EmailKindDto', description: 'A kind of email that customers receive.' })

export const emailStatusValues = {
  pending: EmailStatus.PENDING,
  sent: EmailStatus.SENT,
  bounced: EmailStatus.BOUNCED,
  failed: EmailStatus.FAILED,
  suppressed: EmailStatus.SUPPRESSED,
} as const

export const emailStatus = z.enum(namesOf(emailStatusValues)).meta({
  id: 'EmailStatusDto',
  description:
    '`pending`: sent as soon as possible, and tried for three days. `sent`: the mail server accepted it. `bounced`: the mail server ' +
    'rejected it for good. `failed`: given up after three days. `suppressed`: not sent, because the store has disabled the kind or the ' +
    'customer has no address.',
})
