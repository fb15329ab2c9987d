import { eventsOf, until } from '@storekeep/common/testing'
import { EmailStatus as Status } from '@storekeep/proto/emails/v1/email'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { useEmails } from './harness.ts'

const emails = useEmails()
const { shops } = emails
const hour = 3_600_000

async function newOrder() {
  const order = shops.addOrder(shops.addStore().id)
  await emails.orderCreated(order)
  return order
}

/** Makes an email look older than it is, as far as the database knows. */
async function age(storeId: string, ms: number): Promise<void> {
  await emails.database.query(sql`
    update email set created_at = created_at - ${ms} * interval '1 millisecond' where store_id = ${storeId}`)
}

describe('an SMTP server', () => {
  it('that greylists receives the same email again, with the same Message-ID, after growing delays', async () => {
    const [seen, delays] = [new Set<string>(), [] as number[]]
    emails.smtp.rejectData = ({ mail }) => {
      seen.add(mail.messageId ?? '')
      return { code: 451, message: '4.7.1 Greylisted, try again later' }
    }
    const order = await newOrder()
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      const email = await emails.emailWhere(
        order,
        (one) => one.attempts === attempts && one.nextAttemptAt !== undefined,
      )
      expect(email).toMatchObject({ status: Status.PENDING, failureReason: expect.stringContaining('451 4.7.1') })
      const [row] = await emails.database.query<{ delay: number }>(sql`
        select extract(epoch from due_at - now())::float8 as delay from email where store_id = ${order.storeId}`)
      delays.push(row?.delay ?? 0)
      if (attempts === 3) emails.smtp.rejectData = () => undefined
      await emails.makeDue(order.storeId)
    }
    const [sent] = await emails.ended(order)
    expect(sent).toMatchObject({ status: Status.SENT, attempts: 4 })
    expect(sent?.failureReason).toBeUndefined()
    expect([...seen]).toEqual([sent?.messageId])
    expect(emails.smtp.received.map(({ mail }) => mail.messageId)).toEqual([sent?.messageId])
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
  })

  it.each(['the recipient', 'the message'] as const)(
    'that rejects %s for good bounces the email, which is not repeated',
    async (what) => {
      const rejection = { code: 550, message: '5.1.1 <Robin@example.com>: no such user' }
      if (what === 'the recipient') emails.smtp.rejectRecipient = () => rejection
      else emails.smtp.rejectData = () => rejection
      const order = await newOrder()
      const [email] = await emails.ended(order)
      expect(email).toMatchObject({ status: Status.BOUNCED, attempts: 1 })
      expect(email?.failureReason).toContain('550 5.1.1 <********>: no such user')
      const [event] = await until(async () => {
        const events = await eventsOf(emails, email?.id)
        return events.length > 0 ? events : undefined
      })
      expect(event).toMatchObject({ type: 'email.bounced', message: { email: { id: email?.id } } })
      expect(event?.message).not.toHaveProperty('email.failureReason')
    },
  )

  it('that rejects for three days fails the email', async () => {
    emails.smtp.rejectRecipient = () => ({ code: 450, message: '4.2.2 Mailbox full' })
    const order = await newOrder()
    await emails.emailWhere(order, ({ attempts }) => attempts === 1)
    await age(order.storeId, 71 * hour)
    await emails.makeDue(order.storeId)
    await emails.emailWhere(order, ({ attempts, status }) => attempts === 2 && status === Status.PENDING)
    await age(order.storeId, hour)
    await emails.makeDue(order.storeId)
    expect(await emails.ended(order)).toMatchObject([{ status: Status.FAILED, attempts: 3 }])
  })
})

describe('an SMTP server that cannot be reached', () => {
  afterEach(() => emails.smtp.start())

  it('loses no email, and receives them within minutes of its return', async () => {
    await emails.smtp.stop()
    const order = await newOrder()
    const failed = await emails.emailWhere(order, ({ attempts }) => attempts === 1)
    expect(failed).toMatchObject({ status: Status.PENDING, failureReason: expect.stringContaining('ECONNREFUSED') })
    await emails.database.query(sql`update email set attempts = 40 where store_id = ${order.storeId}`)
    await emails.makeDue(order.storeId)
    await emails.emailWhere(order, ({ attempts }) => attempts === 41)
    // However often it failed, the delay is short, since nothing is known about the email.
    const [row] = await emails.database.query<{ delay: number }>(sql`
      select extract(epoch from due_at - now())::float8 as delay from email where store_id = ${order.storeId}`)
    expect(row?.delay).toBeLessThan(400)
    await emails.smtp.start()
    await emails.makeDue(order.storeId)
    expect(await emails.ended(order)).toMatchObject([
      { status: Status.SENT, attempts: 42, messageId: failed.messageId },
    ])
    await emails.smtp.stop()
  })
})

describe('what the log says about failures', () => {
  it('contains no address', async () => {
    emails.smtp.rejectRecipient = (address) => ({ code: 421, message: `${address} is busy` })
    const order = await newOrder()
    await emails.emailWhere(order, ({ attempts }) => attempts === 1)
    const lines = emails.logLines.filter((line) => line.includes(order.storeId))
    expect(lines.join()).toContain('email not sent: SMTP server unavailable')
    expect(emails.logLines.join()).not.toMatch(/robin@example/i)
  })
})
