import { eventsOf, until } from '@storekeep/common/testing'
import { EmailStatus as Status } from '@storekeep/proto/emails/v1/email'
import { CancellationReason, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import { EmailKind } from '@storekeep/proto/stores/v1/store'
import sql from 'sql-template-tag'
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
      locale: 'en-GB',
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
      // The day in the time zone of the store.
      expect(body).toContain('21 November 2026')
    }
  })

  it('is reported by an event without personal data', async () => {
    const order = shops.addOrder(shops.addStore().id)
    await emails.orderCreated(order)
    const [email] = await emails.ended(order)
    const [event, ...others] = await until(async () => {
      const events = await eventsOf(emails, email?.id)
      return events.length > 0 ? events : undefined
    })
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'email.sent', message: { email: { id: email?.id, orderId: order.id } } })
    expect(event?.message).not.toHaveProperty('email.recipient')
  })

  it('is not made again by a repeated event', async () => {
    const order = shops.addOrder(shops.addStore().id)
    await emails.orderCreated(order)
    await emails.orderCreated(order)
    await emails.ended(order)
    // Events of an order are applied in order, so this one follows the repetition.
    await emails.orderRefunded(order, 100n)
    const kinds = (await emails.ended(order, 2)).map(({ kind }) => kind)
    expect(kinds).toEqual([EmailKind.RECEIPT, EmailKind.REFUND])
  })

  it('is not sent for an order of last week', async () => {
    const order = shops.addOrder(shops.addStore().id)
    const week = 7 * 24 * 3_600_000
    const applied = () => emails.database.query(sql`select from consumed_event where consumer = 'emails-orders'`)
    const { length: before } = await applied()
    emails.clock.advance(week)
    await emails.orderCreated(order)
    await expect.poll(async () => (await applied()).length).toBe(before + 1)
    emails.clock.advance(-week)
    await emails.orderRefunded(order, 100n)
    expect((await emails.ended(order)).map(({ kind }) => kind)).toEqual([EmailKind.REFUND])
  })

  it('is suppressed if the store has disabled receipts, or the customer gave no address', async () => {
    const quiet = shops.addStore({ disabledEmails: [EmailKind.RECEIPT] })
    const disabled = shops.addOrder(quiet.id)
    await emails.orderCreated(disabled)
    const withoutAddress = shops.addOrder(shops.addStore().id, { billingDetails: {} })
    await emails.orderCreated(withoutAddress)
    for (const order of [disabled, withoutAddress]) {
      expect(await emails.ended(order)).toMatchObject([{ status: Status.SUPPRESSED, attempts: 0 }])
    }
    expect(emails.smtp.received).toEqual([])
    // The other kinds of the store are sent.
    await emails.orderRefunded(disabled, 500n)
    await emails.emailWhere(disabled, ({ status }) => status === Status.SENT)
  })

  it('waits while the other services are unavailable, without counting attempts', async () => {
    const order = shops.addOrder(shops.addStore().id)
    shops.outage = true
    await emails.orderCreated(order)
    await until(async () => {
      const rows = await emails.database.query(sql`
        select from email where store_id = ${order.storeId} and version > 1 and status = 'pending'`)
      return rows.length > 0 ? true : undefined
    })
    shops.outage = false
    await emails.makeDue(order.storeId)
    expect(await emails.ended(order)).toMatchObject([{ status: Status.SENT, attempts: 1 }])
  })
})

describe('the link to the portal', () => {
  it('is in the receipt, but neither stored nor logged', async () => {
    const order = shops.addOrder(shops.addStore().id)
    await emails.orderCreated(order)
    await emails.ended(order)
    const session = shops.portalSessions.find(({ customerId }) => customerId === order.customerId)
    const token = session?.token ?? ''
    expect(emails.smtp.received[0]?.mail.html).toContain(`https://me.example/?t=${token}`)
    const [row] = await emails.database.query<{ text: string }>(sql`
      select string_agg(email::text, ' ') as text from email where store_id = ${order.storeId}`)
    const stored = `${row?.text} ${emails.logLines.join(' ')}`
    expect(stored).toContain(order.storeId)
    expect(stored).not.toContain(token)
    expect(stored).not.toContain('robin@example.com')
  })

  it('is not given to a customer who is known only by a typed name', async () => {
    const order = shops.addOrder(shops.addStore().id, { customerId: shops.addCustomer('Steve', true) })
    await emails.orderCreated(order)
    await emails.ended(order)
    expect(emails.smtp.received).toHaveLength(1)
    expect(emails.smtp.received[0]?.source).not.toContain('me.example')
    expect(shops.portalSessions.filter(({ customerId }) => customerId === order.customerId)).toEqual([])
  })
})

describe('a refund', () => {
  it('is reported with its amount', async () => {
    const order = shops.addOrder(shops.addStore().id)
    await emails.orderRefunded(order, 999n)
    expect(await emails.ended(order)).toMatchObject([{ kind: EmailKind.REFUND, status: Status.SENT }])
    expect(emails.smtp.received[0]?.mail.text).toContain('Skyblock Shop has refunded €9.99 for order 42.')
  })
})

describe('a gift', () => {
  const buy = (to: string, customerId = shops.addCustomer('Buyer')) => {
    const lines = [
      { name: 'Crate', quantity: 1, unitPrice: 500n, totalAmount: 500n, giftToCustomerId: to },
      { name: 'Secret sword', quantity: 1, unitPrice: 700n, totalAmount: 700n },
    ]
    return { customerId, lines }
  }

  it('is announced to its recipient, at the address and in the language of their newest order, without prices or links', async () => {
    const store = shops.addStore()
    const recipient = shops.addCustomer('Kim')
    const own = { customerId: recipient, billingDetails: { billingEmail: 'kim@example.com' }, locale: 'de-AT' }
    shops.addOrder(store.id, own)
    const order = shops.addOrder(store.id, buy(recipient))
    await emails.orderCreated(order)
    const found = await emails.ended(order, 2)
    expect(found).toMatchObject([{ kind: EmailKind.RECEIPT }, { kind: EmailKind.GIFT_RECEIVED, locale: 'de-AT' }])
    const gift = emails.smtp.received.find(({ to }) => to.includes('kim@example.com'))
    expect(gift?.mail.subject).toBe('Du hast bei Skyblock Shop ein Geschenk erhalten')
    expect(gift?.mail.text).toContain('Buyer hat bei Skyblock Shop für dich gekauft:')
    expect(gift?.mail.text).toContain('Crate')
    for (const hidden of ['5,00', 'Secret sword', 'robin@example.com', 'me.example']) {
      expect(gift?.source).not.toContain(hidden)
      expect(gift?.mail.html).not.toContain(hidden)
    }
  })

  it('is not announced to a recipient without an address, or to the buyer', async () => {
    const store = shops.addStore()
    const unknown = shops.addOrder(store.id, buy(shops.addCustomer('Kim')))
    await emails.orderCreated(unknown)
    expect(await emails.ended(unknown, 2)).toMatchObject([{ status: Status.SENT }, { status: Status.SUPPRESSED }])
    const buyer = shops.addCustomer('Buyer')
    const own = shops.addOrder(store.id, buy(buyer, buyer))
    await emails.orderCreated(own)
    expect(await emails.ended(own, 1)).toMatchObject([{ kind: EmailKind.RECEIPT }])
  })
})

describe('a subscription', () => {
  it('is receipted with every renewal, and the next payment', async () => {
    const order = shops.addOrder(shops.addStore().id, { renewal: true })
    shops.addSubscription(order)
    await emails.orderCreated(shops.orders.get(order.id) ?? order)
    expect(await emails.ended(order)).toMatchObject([{ kind: EmailKind.SUBSCRIPTION_RENEWED, status: Status.SENT }])
    const { mail } = emails.smtp.received[0] ?? {}
    expect(mail?.subject).toBe('Your subscription at Skyblock Shop was renewed')
    expect(mail?.text).toContain('The next payment of €19.98 is due on 20 December 2026.')
  })

  it('reports a failed payment once per period, with a link to the payment method', async () => {
    const order = shops.addOrder(shops.addStore().id)
    const subscription = shops.addSubscription(order, { status: SubscriptionStatus.PAST_DUE })
    await emails.subscriptionUpdated(subscription)
    await emails.subscriptionUpdated(subscription)
    expect(await emails.ended(order)).toMatchObject([{ kind: EmailKind.PAYMENT_FAILED, status: Status.SENT }])
    const [session] = shops.portalSessions.filter(({ customerId }) => customerId === order.customerId)
    expect(session?.flow).toBe('subscriptionPaymentMethodUpdate')
    expect(emails.smtp.received[0]?.mail.text).toContain(session?.token)
    await emails.subscriptionUpdated({ ...subscription, paidPeriods: 2 })
    await emails.ended(order, 2)
  })

  it('reports once that it ends with its period', async () => {
    const order = shops.addOrder(shops.addStore().id)
    const subscription = shops.addSubscription(order, { cancelAtPeriodEnd: true })
    await emails.subscriptionUpdated(subscription)
    await emails.ended(order)
    await emails.subscriptionCanceled({ ...subscription, status: SubscriptionStatus.CANCELED })
    await emails.orderRefunded(order, 1n)
    const kinds = (await emails.ended(order, 2)).map(({ kind }) => kind)
    expect(kinds).toEqual([EmailKind.SUBSCRIPTION_ENDING, EmailKind.REFUND])
    expect(emails.smtp.received[0]?.mail.subject).toBe('Your subscription at Skyblock Shop ends on 20 December 2026')
  })

  it('reports that it has ended without notice, and why', async () => {
    const order = shops.addOrder(shops.addStore().id)
    const subscription = shops.addSubscription(order, {
      status: SubscriptionStatus.CANCELED,
      cancellationReason: CancellationReason.PAYMENT_FAILED,
    })
    await emails.subscriptionCanceled(subscription)
    await emails.ended(order)
    const { mail } = emails.smtp.received[0] ?? {}
    expect(mail?.subject).toBe('Your subscription at Skyblock Shop has ended')
    expect(mail?.text).toContain('The last payment failed.')
  })
})
