import type { EmailKind } from '@storekeep/proto/conventions/email-kinds'

/** The last four are final. */
export type EmailStatus = 'pending' | 'sent' | 'bounced' | 'failed' | 'suppressed'

/** What an email is about. Its text follows from the records that are named here when it is sent. */
export interface Subject {
  kind: EmailKind
  storeId: string
  /** Who receives it. */
  customerId: string
  /** Null for an email about a subscription until its newest order is known. */
  orderId: string | null
  subscriptionId: string | null
  /** The refunded amount in minor units; null unless the email is about a refund. */
  refundAmount: string | null
}

/** An email as the repository returns it. Ids and versions are int8 and therefore strings. */
export interface Email extends Subject {
  id: string
  /** The address, encrypted; null before the first attempt. */
  recipient: Buffer | null
  /** A BCP 47 tag; null before the first attempt. */
  locale: string | null
  /** With its angle brackets. */
  messageId: string
  status: EmailStatus
  /** How often it was handed to the SMTP server. */
  attempts: number
  /** When the next attempt is due; while one is in flight, when its lease ends. Null at the end. */
  dueAt: Date | null
  isInFlight: boolean
  failureReason: string | null
  resendOf: string | null
  createdAt: Date
  endedAt: Date | null
  version: string
}

/** An email to insert. */
export interface NewEmail extends Subject {
  /** What the email answers to. A cause has one email, however often its event is applied. */
  cause: string
  messageId: string
  resendOf: string | null
  /** Of the change that caused it. */
  traceparent: string | null
  createdAt: Date
}
