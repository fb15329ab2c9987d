import { describe, expect, it } from 'vitest'
import { useEmails } from './harness.ts'

const emails = useEmails()
const { shops } = emails

describe('names that shoppers and stores choose', () => {
  it('add no header, recipient or markup to an email', async () => {
    const attack = 'Shop\r\nBcc: victim@example.net\r\n\r\n<script>alert(1)</script>'
    const store = shops.addStore({ name: attack, replyTo: 'help@skyblock.example' })
    const order = shops.addOrder(store.id, {
      lines: [{ name: '"><img src=x onerror=alert(1)>', quantity: 1, unitPrice: 1n, totalAmount: 1n }],
      billingDetails: { billingEmail: 'robin@example.com', billingName: 'Robin\n.\nMAIL FROM:<x@example.net>' },
      couponCode: '</td><style>*{display:none}</style>',
    })
    await emails.orderCreated(order)
    await emails.ended(order)
    expect(emails.smtp.recipients).toEqual(['robin@example.com'])
    const [received] = emails.smtp.received
    const names = received?.mail.headers.map(({ key }) => key) ?? []
    expect(names).toContain('subject')
    expect(names).not.toContain('bcc')
    expect(received?.mail.from?.address).toBe('shop@example.org')
    expect(received?.mail.from?.name).toContain('Bcc: victim@example.net')
    expect(received?.mail.html).not.toMatch(/<(script|img|style)/)
    expect(received?.mail.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  it.each([
    'robin@example.com, victim@example.net',
    'robin@example.com\r\nRCPT TO:<victim@example.net>',
    '<victim@example.net>',
    'robin@example.com>',
    '"a b"@example.com',
    'Robin <robin@example.com>',
  ])('send nothing to an address that names more than one mailbox: %j', async (billingEmail) => {
    const order = shops.addOrder(shops.addStore().id, { billingDetails: { billingEmail } })
    await emails.orderCreated(order)
    expect(await emails.ended(order)).toMatchObject([{ failureReason: 'The customer has no email address.' }])
    expect(emails.smtp.recipients).toEqual([])
  })
})
