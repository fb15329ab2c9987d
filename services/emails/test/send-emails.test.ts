import { eventsOf, until } from '@storekeep/common/testing'
import { EmailStatus as Status } from '@storekeep/proto/emails/v1/email'
import { EmailKind } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { useEmails } from './harness.ts'

const emails = useEmails()
const { shops } = emails

describe('the receipt of a paid order', () => {
  it('is sent once, from the store, with what was bought', async () => {
    const store = shops.addStore({ supportEmail: 'help@skyblock.example' })
    const order = shops.addOrder(store.id)
    await emails.orderCreated(order)
    const [email] = await emails.ended(order)
    expect(email).toMatchObject({
      kind: EmailKind.RECEIPT,
      status: Status.SENT,
      attempts: 1,
      recipient: 'robin@example.com',
    })
    const [received, ...others] = emails.smtp.received
    expect(others).toEqual([])
    expect(received).toMatchObject({ from: 'shop@example.org', to: ['robin@example.com'] })
    expect(received?.mail).toMatchObject({
      messageId: email?.messageId,
      from: { name: 'Skyblock Shop', address: 'shop@example.org' },
      replyTo: [{ address: 'help@skyblock.example' }],
      subject: 'Your receipt from Skyblock Shop (order 42)',
    })
    for (const body of [received?.mail.text, received?.mail.html]) {
      expect(body).toContain('2 × VIP rank')
      expect(body).toContain('€19.98')
      expect(body).toContain('21 November 2026')
    }
    const sent = await until(async () => (await eventsOf(emails, email?.id)).at(0))
    expect(sent.type).toBe('email.sent')
    expect(sent.message).toMatchObject({ email: { id: email?.id } })
    expect(sent.message).not.toHaveProperty('email.recipient')
  })
})
