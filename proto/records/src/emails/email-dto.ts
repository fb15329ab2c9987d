import type { Email } from '@storekeep/proto/emails/v1/email'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32 } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { emailKind, emailKindValues, emailStatus, emailStatusValues } from './email-enums.ts'

export const emailDtoSchema = z
  .object({
    ...idFields('email'),
    kind: emailKind.describe('What the email says.'),
    status: emailStatus.describe('Whether it was sent.'),
    customer_id: flakeId.describe('The customer who receives it: the buyer, or the recipient of a gift.'),
    order_id: flakeId
      .nullable()
      .describe('The order that it is about; for an email about a subscription, its newest order.'),
    subscription_id: flakeId.nullable().describe('The subscription of the order.'),
    recipient: z.string().nullable().describe('Address of the customer; null before the first attempt.'),
    locale: z.string().nullable().describe('Language of the text, such as `de-AT`; null before the first attempt.'),
    message_id: z.string().describe('The `Message-ID` of the email. All attempts have the same one.'),
    attempts: int32(0).describe('How often it was handed to the mail server.'),
    next_attempt_at: dateTime.nullable().describe('When the next attempt is due; null unless the email is pending.'),
    failure_reason: z.string().nullable().describe('Why the last attempt failed, or why the email is not sent.'),
    resend_of: flakeId.nullable().describe('The email that this one repeats.'),
    created_at: dateTime.describe('When the email was created.'),
    ended_at: dateTime.nullable().describe('When it was sent or given up; null while it is pending.'),
  })
  .meta({ id: 'EmailDto', description: 'An email to a customer about an order or a subscription.' })

export type EmailDto = z.input<typeof emailDtoSchema>

export function emailDto(email: Email | undefined): EmailDto {
  if (!email?.createdAt) throw new Error('A service returned no email.')
  return {
    id: email.id,
    store_id: email.storeId,
    kind: nameOf(emailKindValues, email.kind),
    status: nameOf(emailStatusValues, email.status),
    customer_id: email.customerId,
    order_id: email.orderId ?? null,
    subscription_id: email.subscriptionId ?? null,
    recipient: email.recipient ?? null,
    locale: email.locale ?? null,
    message_id: email.messageId,
    attempts: email.attempts,
    next_attempt_at: printTime(email.nextAttemptAt),
    failure_reason: email.failureReason ?? null,
    resend_of: email.resendOf ?? null,
    created_at: printTime(email.createdAt),
    ended_at: printTime(email.endedAt),
  }
}

export const emailExample: EmailDto = {
  id: '411486491630370960',
  store_id: '411486491596816384',
  kind: 'receipt',
  status: 'sent',
  customer_id: '411486491630370816',
  order_id: '411486491630370860',
  subscription_id: null,
  recipient: 'robin@example.com',
  locale: 'en-GB',
  message_id: '<0f8fad5bd9cb469fa16570867728950e@shop.example.org>',
  attempts: 1,
  next_attempt_at: null,
  failure_reason: null,
  resend_of: null,
  created_at: '2026-11-20T14:40:02.000Z',
  ended_at: '2026-11-20T14:40:03.000Z',
}
