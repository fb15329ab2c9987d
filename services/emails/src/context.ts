import { createWakeSignal, type WakeSignal } from '@storekeep/common/events'
import type { Handlers } from '@storekeep/common/grpc'
import type { Runtime } from '@storekeep/common/service'
import type { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import { createMailer, type Mailer } from './adapters/mailer.ts'
import { connectRecords, type Records } from './adapters/records.ts'
import type { EmailsConfig } from './config.ts'
import { createEmailMetrics, type EmailMetrics } from './tasks/email-metrics.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends Runtime {
  /** What emails are written from. */
  records: Records
  /** Undefined: the installation sends no emails. */
  sender: { mailer: Mailer; from: string; leaseMs: number } | undefined
  /** Wakes the sender of this process. */
  emailSignal: WakeSignal
  /** See `EmailsConfig`. */
  checkoutBaseUrl: string
  emailMetrics: EmailMetrics
  /** Interval at which addresses of an earlier encryption key are encrypted again. */
  reencryptMs: number
  /** From 0 to 1. */
  random(): number
  /** Closes the connections to the SMTP server and to other services. */
  close(): void
}

/** The handlers of EmailsService, one per rpc. */
export type EmailsHandlers = Handlers<typeof EmailsService>

export function createContext(
  runtime: Runtime,
  { services, smtp, checkoutBaseUrl, reencryptMs }: EmailsConfig,
): AppContext {
  const { records, close } = connectRecords(services, runtime)
  const sender = smtp && {
    mailer: createMailer(smtp),
    from: smtp.from,
    // An attempt takes up to 3 time limits, and the calls before it a few seconds.
    leaseMs: 4 * smtp.timeoutMs + 60_000,
  }
  return {
    ...runtime,
    records,
    sender,
    emailSignal: createWakeSignal(),
    emailMetrics: createEmailMetrics(runtime.metrics),
    checkoutBaseUrl,
    reencryptMs,
    random: Math.random,
    close() {
      sender?.mailer.close()
      close()
    },
  }
}
