import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import { insertEmails } from '../db/email-repository.ts'
import { type CausedEmail, isTooOld } from '../domain/causes.ts'
import { newMessageId } from './new-message-id.ts'

/** Adds the emails of an event, unless the installation sends none. Applying an event again adds nothing. */
export async function addEmails(
  ctx: AppContext,
  tx: Transaction,
  emails: readonly CausedEmail[],
  { time, traceparent }: { time: Date; traceparent: string | undefined },
): Promise<void> {
  const createdAt = ctx.clock.now()
  const { sender } = ctx
  if (sender === undefined || isTooOld(time, createdAt)) return
  const added = emails.map((email) => ({
    ...email,
    messageId: newMessageId(ctx, sender.from),
    resendOf: null,
    traceparent: traceparent ?? null,
    createdAt,
  }))
  if ((await insertEmails(tx, added)).length > 0) tx.afterCommit(ctx.emailSignal.wake)
}
