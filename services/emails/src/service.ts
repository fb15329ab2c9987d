import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import { createContext } from './context.ts'
import { emailConsumers } from './events/consumers.ts'
import { createEmailHandlers } from './handlers/index.ts'
import { measureBacklog } from './tasks/measure-backlog.ts'
import { reencryptRecipients } from './tasks/reencrypt-recipients.ts'
import { sendEmails } from './tasks/send-emails.ts'

export const emails = defineService({
  name: 'emails',
  nodeNumber: 12,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  bind: (ctx) => [bind(EmailsService, createEmailHandlers(ctx))],
  consumers: (ctx) => emailConsumers(ctx),
  tasks: (ctx) => [sendEmails(ctx), measureBacklog(ctx), reencryptRecipients(ctx)],
  close: (ctx) => ctx.close(),
})
