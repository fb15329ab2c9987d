import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { expectRow } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, EmailsHandlers } from '../context.ts'
import { insertEmails, lockEmail } from '../db/email-repository.ts'
import { emailToProto } from '../mappers.ts'
import { newMessageId } from '../steps/new-message-id.ts'

/** The new email has another Message-ID: mail programs hide a second email with the same one. */
export function resendEmail(ctx: AppContext): EmailsHandlers['resendEmail'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const orderId = requireFlakeId('order_id', request.orderId)
    const id = requireFlakeId('email_id', request.emailId)
    const { sender } = ctx
    if (sender === undefined) throw errors.conflict('This installation sends no emails: SMTP_URL is not set.')
    return write(ctx, call, request, async (tx) => {
      const before = await lockEmail(tx, { storeId, orderId, id })
      if (!before) throw errors.notFound('email')
      if (before.status === 'pending') throw errors.conflict('The email has not been sent yet.')
      const { kind, customerId, subscriptionId, refundAmount } = before
      const messageId = newMessageId(ctx, sender.from)
      const about = { storeId, kind, customerId, orderId, subscriptionId, refundAmount }
      const again = { ...about, cause: `resend ${messageId}`, messageId, resendOf: id, traceparent: call.traceparent }
      const row = expectRow(await insertEmails(tx, [{ ...again, createdAt: ctx.clock.now() }]))
      tx.afterCommit(ctx.emailSignal.wake)
      return { email: emailToProto(row) }
    })
  }
}
