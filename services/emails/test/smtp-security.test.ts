import { type Certificate, createAuthority } from '@storekeep/common/testing/certificates'
import { type SMTPServerOptions, startSmtpServer, type TestSmtpServer } from '@storekeep/common/testing/smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createMailer } from '../src/adapters/mailer.ts'

const authority = await createAuthority()
const certificate = await authority.issue(['localhost', '127.0.0.1'])
const wrongCertificates = [
  ['of another name', await authority.issue(['other.example'])],
  ['of another authority', await (await createAuthority('other')).issue(['localhost'])],
  ['that has expired', await authority.issue(['localhost'], -1)],
] as const
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** What a client has tried to sign in with. */
let passwords: unknown[] = []

async function start(options: SMTPServerOptions): Promise<TestSmtpServer> {
  passwords = []
  const smtp = await startSmtpServer({
    disabledCommands: [],
    authOptional: true,
    onAuth({ username, password }, _session, callback) {
      passwords.push(password)
      if (password === 'p%ssword') callback(null, { user: username ?? '' })
      else callback(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    ...options,
  })
  stops.push(smtp.stop)
  return smtp
}

function tls({ cert, key }: Certificate): SMTPServerOptions {
  return { cert, key }
}

const message = {
  to: 'robin@example.com',
  fromName: 'Shop',
  replyTo: undefined,
  messageId: '<1@example.org>',
  subject: 'Receipt',
  text: 'Thank you',
  html: '<p>Thank you</p>',
  language: 'en',
}

async function send(url: string) {
  const mailer = createMailer({ url, from: 'shop@example.org', timeoutMs: 10_000 }, { ca: authority.ca })
  stops.push(mailer.close)
  return await mailer.send(message, new AbortController().signal)
}

describe('the connection to the SMTP server', () => {
  it('is encrypted before the password is sent, with STARTTLS or from the start', async () => {
    const upgraded = await start(tls(certificate))
    expect(await send(`smtp://shop:p%25ssword@localhost:${upgraded.port}`)).toEqual({ kind: 'sent' })
    const secure = await start({ ...tls(certificate), secure: true })
    expect(await send(`smtps://shop:p%25ssword@localhost:${secure.port}`)).toEqual({ kind: 'sent' })
    for (const { received } of [upgraded, secure]) {
      expect(received).toMatchObject([{ isEncrypted: true, user: 'shop', mail: { messageId: '<1@example.org>' } }])
    }
  })

  it('is not used without TLS, and no password is sent', async () => {
    const plain = await start({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    expect(await send(`smtp://shop:p%25ssword@localhost:${plain.port}`)).toMatchObject({ kind: 'unavailable' })
    expect([plain.received, plain.recipients, passwords]).toEqual([[], [], []])
    // Without this rule, the server would have received both.
    expect(await send(`smtp://localhost:${plain.port}?starttls=optional`)).toEqual({ kind: 'sent' })
  })

  it.each(wrongCertificates)('is not used with a certificate %s, and no password is sent', async (_which, wrong) => {
    const smtp = await start(tls(wrong))
    expect(await send(`smtp://shop:p%25ssword@localhost:${smtp.port}`)).toMatchObject({ kind: 'unavailable' })
    expect([smtp.received, passwords]).toEqual([[], []])
  })
})

describe('a mistake in the settings', () => {
  it('loses no email: a wrong password, and a sender that the server rejects for good', async () => {
    const smtp = await start(tls(certificate))
    const rejected = await send(`smtp://shop:other@localhost:${smtp.port}`)
    expect(rejected).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('535') })
    expect(JSON.stringify(rejected)).not.toContain('other')
    const strict = await start({
      ...tls(certificate),
      onMailFrom: (_address, _session, callback) =>
        callback(Object.assign(new Error('5.7.1 Sender not allowed'), { responseCode: 550 })),
    })
    expect(await send(`smtp://shop:p%25ssword@localhost:${strict.port}`)).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('550'),
    })
  })
})
