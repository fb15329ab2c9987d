import { defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { EmailBouncedSchema, EmailSentSchema } from '@storekeep/proto/emails/v1/events'
import type { Email } from '../domain/email.ts'
import { emailInEvent } from '../mappers.ts'

const aggregate = defineAggregate('emails', 'email')

/** Publishes that an email was sent or has bounced; other results have no event. */
export async function publishEnd(tx: Transaction, row: Email, traceparent: string | undefined): Promise<void> {
  const message = { email: emailInEvent(row) }
  if (row.status === 'sent') {
    await aggregate.publish(tx, row, { traceparent }, { verb: 'sent', schema: EmailSentSchema, message })
  } else if (row.status === 'bounced') {
    await aggregate.publish(tx, row, { traceparent }, { verb: 'bounced', schema: EmailBouncedSchema, message })
  }
}
