import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type Mail, mailboxPage, mailPage } from './pages.ts'

/**
 * Starts an SMTP server on a port of this machine, and pages that show what it has received: the mailbox of all customers of the demo
 * stores. Emails are kept in memory, the newest ones, until the command ends.
 *
 * @param options.host where the pages listen
 * @param options.origin the address of the pages for a browser on this machine
 * @param options.smtpPort a free port of 127.0.0.1
 */
export async function startMailbox({ host, port, origin, smtpPort }: MailboxOptions): Promise<Mailbox> {
  const mails: Mail[] = []
  let count = 0

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    onData(stream, _session, callback) {
      buffer(stream)
        .then((source) => PostalMime.parse(source))
        .then((mail) => {
          count += 1
          mails.unshift({ ...mail, number: count })
          mails.splice(maxMails)
          callback()
        }, callback)
    },
  })
  smtp.on('error', () => undefined)
  const smtpSocket = smtp.listen(smtpPort, '127.0.0.1')

  const pages = createServer((request, response) => {
    const reply = respond(request.headers.host, request.url ?? '/')
    response.writeHead(reply.status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': reply.policy,
    })
    response.end(reply.body)
  })
  pages.listen(port, host)
  await Promise.all([once(smtpSocket, 'listening'), once(pages, 'listening')])

  function respond(hostHeader: string | undefined, url: string): Reply {
    // The emails contain links that sign in. Another page in the browser must not read them under a name that leads here.
    if (`http://${hostHeader}` !== origin) return { status: 421, policy: pagePolicy, body: 'Unknown host.' }
    const [, number, kind] = /^\/mails\/(\d{1,9})(\/html)?$/.exec(url) ?? []
    if (number === undefined) return { status: url === '/' ? 200 : 404, policy: pagePolicy, body: mailboxPage(mails) }
    const mail = mails.find((one) => one.number === Number(number))
    if (!mail) return { status: 404, policy: pagePolicy, body: mailboxPage(mails) }
    if (kind === undefined) return { status: 200, policy: pagePolicy, body: mailPage(mail) }
    return { status: 200, policy: mailPolicy, body: mail.html ?? '' }
  }

  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}?starttls=optional`,
    async close() {
      pages.closeAllConnections()
      await Promise.all([
        new Promise((resolve) => pages.close(resolve)),
        new Promise<void>((resolve) => smtp.close(resolve)),
      ])
    },
  }
}

interface MailboxOptions {
  host: string
  port: number
  origin: string
  smtpPort: number
}

export interface Mailbox {
  /** For the setting SMTP_URL. */
  smtpUrl: string
  close(): Promise<void>
}

interface Reply {
  status: number
  policy: string
  body: string
}

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'"
/** An email runs no script and reads nothing of this origin. Its links open in a new tab, as in a mail program. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src http: https:"

const maxMails = 200
const maxBytes = 10 * 1024 * 1024
