import type { AppContext, EmailsHandlers } from '../context.ts'
import { listEmails } from './list-emails.ts'
import { resendEmail } from './resend-email.ts'

export function createEmailHandlers(ctx: AppContext): EmailsHandlers {
  return { listEmails: listEmails(ctx), resendEmail: resendEmail(ctx) }
}
