import { parseSmtpUrl } from '@storekeep/common/config'
import { maskedValue } from '@storekeep/proto/conventions/masked-value'
import { createTransport } from 'nodemailer'
import type { SmtpConfig } from '../config.ts'
import type { Outcome } from '../domain/next-step.ts'

/** An email as it is handed to the SMTP server. */
export interface Message {
  /** The address of the recipient. */
  to: string
  /** The name before the address of the sender. */
  fromName: string
  replyTo: string | undefined
  /** With its angle brackets. */
  messageId: string
  subject: string
  text: string
  html: string
  /** A BCP 47 tag. */
  language: string
}

/** How the SMTP server responded. */
export type SendOutcome = Extract<Outcome, { kind: 'sent' | 'bounced' | 'deferred' | 'unavailable' }>

/** Hands emails to the SMTP server of the installation. */
export interface Mailer {
  /**
   * Sends one email, within three times the time limit of a response. Never throws; `signal` aborts it, which leaves open whether the
   * server has accepted the email.
   */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>
  close(): void
}

/** @param options.ca trusted certificate authorities, in place of Node's list */
export function createMailer({ url, from, timeoutMs }: SmtpConfig, options: { ca?: string } = {}): Mailer {
  const { scheme, user, password = '', hosts, parameters } = parseSmtpUrl(url)
  const [server] = hosts
  if (!server) throw new Error('SMTP_URL has no host')
  const { host, port } = server
  const transport = createTransport({
    pool: true,
    maxConnections,
    host: host.replace(/^\[|\]$/g, ''),
    port,
    secure: scheme === 'smtps',
    requireTLS: scheme === 'smtp' && parameters.starttls === undefined,
    // The installation's own network: STARTTLS is used if the server offers it and its certificate is valid.
    opportunisticTLS: parameters.starttls === 'optional',
    ...(user !== undefined && { auth: { user, pass: password } }),
    ...(options.ca !== undefined && { tls: { ca: options.ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxResponseSize: 65_536,
    // The text contains names that shoppers typed, which must never be read as files or addresses to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(message, signal) {
      const { to, fromName, replyTo, messageId, subject, text, html, language } = message
      try {
        await transport.sendMail({
          envelope: { from, to: [to] },
          from: { name: oneLine(fromName), address: from },
          to: { name: '', address: to },
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          messageId,
          subject: oneLine(subject),
          text,
          html,
          headers: {
            'Content-Language': language,
            // RFC 3834: no vacation notices in response.
            'Auto-Submitted': 'auto-generated',
          },
          signal: AbortSignal.any([signal, AbortSignal.timeout(3 * timeoutMs)]),
        })
        return { kind: 'sent' }
      } catch (error) {
        return outcomeOf(error, to)
      }
    },
    // Also connections that are delivering: their attempts have been aborted.
    close: () => transport.close({ force: true }),
  }
}

/**
 * What an error says about the email. Only the rejection of the recipient or of the content is about it; a rejected sign-in or sender
 * is a mistake in the settings, after which no email must be lost. The error itself is never logged: it quotes the address.
 */
function outcomeOf(error: unknown, to: string): SendOutcome {
  const { code, command, responseCode, response, message } = error as SmtpError
  const reason = describe(response ?? message ?? code ?? 'unknown error', to)
  const isAboutEmail = (command === 'RCPT TO' || command === 'DATA') && responseCode !== undefined
  if (!isAboutEmail || responseCode === serviceNotAvailable) return { kind: 'unavailable', reason }
  return { kind: responseCode >= 500 ? 'bounced' : 'deferred', reason }
}

/** What nodemailer adds to an error. */
interface SmtpError {
  code?: string
  /** The SMTP command that failed. */
  command?: string
  /** The status and the text of the server. */
  responseCode?: number
  response?: string
  message?: string
}

/** The words of the server on one line, without the address. */
function describe(text: string, to: string): string {
  const folded = oneLine(text)
  const address = new RegExp(to.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return folded.replace(address, maskedValue).slice(0, maxReasonLength)
}

/** Line breaks would end a header. Postgres text cannot contain NUL. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** 421: the server closes the connection, whatever was sent. */
const serviceNotAvailable = 421
const maxReasonLength = 500
/** Attempts in flight of a process. */
export const maxConnections = 5
