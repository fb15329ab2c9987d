import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email as ParsedEmail } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type { SMTPServerOptions } from 'smtp-server'

/** A real SMTP server, which keeps what it accepts. */
export interface TestSmtpServer {
  port: number
  /** What it has accepted, oldest first. */
  received: Received[]
  /** How often a client has named a recipient. */
  recipients: string[]
  /** Rejects a recipient with the error that it returns; undefined accepts. */
  rejectRecipient: (address: string) => SmtpRejection | undefined
  /** Rejects a message after its data. */
  rejectData: (message: Received) => SmtpRejection | undefined
  /** Awaited after a message was accepted, and before the client is told. */
  beforeResponse: () => Promise<void>
  /** Stops listening and ends the connections. */
  stop(): Promise<void>
  /** Listens again, on the same port. */
  start(): Promise<void>
}

export interface Received {
  mail: ParsedEmail
  source: string
  from: string
  to: string[]
  user: string | undefined
  isEncrypted: boolean
}

export interface SmtpRejection {
  code: number
  message: string
}

export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const accept = () => undefined
  let server: SMTPServer | undefined
  const smtp: TestSmtpServer = {
    port: 0,
    received: [],
    recipients: [],
    rejectRecipient: accept,
    rejectData: accept,
    beforeResponse: async () => undefined,
    async start() {
      server = create()
      const listening = server.listen(smtp.port, '127.0.0.1')
      await once(listening, 'listening')
      smtp.port = (listening.address() as AddressInfo).port
    },
    async stop() {
      const closing = server
      server = undefined
      if (closing) await new Promise<void>((resolve) => closing.close(resolve))
    },
  }

  function create(): SMTPServer {
    const created = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      ...options,
      onRcptTo({ address }, _session, callback) {
        smtp.recipients.push(address)
        callback(errorOf(smtp.rejectRecipient(address)))
      },
      onData(stream, session, callback) {
        const accepted = async () => {
          const bytes = await buffer(stream)
          const { mailFrom, rcptTo } = session.envelope
          const message = {
            mail: await PostalMime.parse(bytes),
            source: bytes.toString(),
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: session.user === undefined ? undefined : String(session.user),
            isEncrypted: session.secure,
          }
          const rejection = smtp.rejectData(message)
          if (rejection) throw errorOf(rejection)
          smtp.received.push(message)
          await smtp.beforeResponse()
        }
        accepted().then(() => callback(), callback)
      },
    })
    // A client that is killed resets its connection.
    created.on('error', () => undefined)
    return created
  }

  await smtp.start()
  return smtp
}

function errorOf(rejection: SmtpRejection | undefined): Error | undefined {
  return rejection && Object.assign(new Error(rejection.message), { responseCode: rejection.code })
}
