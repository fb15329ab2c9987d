import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@storekeep/common/crypto'
import { eventsOf, faultOf, randomId } from '@storekeep/common/testing'
import { PaymentProvider as Provider, PaymentSettlement as Settlement } from '@storekeep/proto/orders/v1/payment'
import { TestPaymentAction as Action } from '@storekeep/proto/orders/v1/payments_service'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { stripeSecrets } from './fake-stripe.ts'
import { act, asShopper, inStore, start } from './harness.ts'
import { useStripe } from './stripe-harness.ts'

const { orders, stripe } = useStripe()

it('without the key of its secrets, a store takes all payments except Stripe payments, until the key is back', async () => {
  const storeId = randomId()
  const shopper = asShopper(storeId)
  const newSession = () => orders.checkout.add(storeId)
  const providers = [Provider.STRIPE, Provider.MANUAL, Provider.TEST]
  const settings = {
    ...stripeSecrets,
    manualInstructions: 'IBAN',
    banOnChargeback: true,
    enabledProviders: { providers },
  }
  await orders.client.updatePaymentSettings(settings, inStore(storeId))
  const [readable] = await orders.database.query<{ key: Buffer; webhook: Buffer }>(sql`
    select stripe_secret_key as key, stripe_webhook_secret as webhook from payment_settings where store_id = ${storeId}`)
  const write = (secrets: typeof readable) =>
    orders.database.query(sql`
      update payment_settings set stripe_secret_key = ${secrets?.key}, stripe_webhook_secret = ${secrets?.webhook}
      where store_id = ${storeId}`)
  const paid = await start(orders, newSession(), Provider.STRIPE)
  const webhook = { provider: Provider.STRIPE, ...stripe.pay(paid.id) }

  const lost = createSecretBox(randomBytes(32).toString('base64url')).seal(Buffer.from('x'), 'x')
  await write({ key: lost, webhook: lost })
  expect(await orders.client.listPaymentMethods({}, shopper)).toMatchObject({ providers })
  await orders.client.checkWebhookReceiver({ provider: Provider.STRIPE }, shopper)
  const changed = await orders.client.updatePaymentSettings({ manualInstructions: 'BIC' }, inStore(storeId))
  expect(changed.settings).toMatchObject({ manualInstructions: 'BIC', hasStripeSecretKey: true })

  const session = newSession()
  const manual = await start(orders, session, Provider.MANUAL)
  expect(await orders.client.getPaymentState({ token: session.token }, shopper)).toMatchObject({ instructions: 'BIC' })
  const marked = await orders.client.markPaymentPaid({ paymentId: manual.id }, inStore(storeId))
  expect(marked.payment).toMatchObject({ settlement: Settlement.COMPLETED })
  const approved = await act(orders, await start(orders, newSession()), Action.APPROVE)
  expect(approved).toMatchObject({ settlement: Settlement.COMPLETED })
  await act(orders, approved, Action.CHARGE_BACK)
  const events = await eventsOf(orders, approved.orderId ?? '')
  expect(events.at(-1)).toMatchObject({ type: 'order.charged_back', message: { banCustomer: true } })

  const stripeCalls = () => [
    start(orders, newSession(), Provider.STRIPE),
    orders.client.handleWebhook(webhook, shopper),
  ]
  const unavailable = { code: 'service-unavailable' }
  expect(await Promise.all(stripeCalls().map(faultOf))).toMatchObject([unavailable, unavailable])
  await write(readable)
  await Promise.all(stripeCalls())
  const { payments } = await orders.client.listPayments({ checkoutId: paid.checkoutId }, inStore(storeId))
  expect(payments).toMatchObject([{ settlement: Settlement.COMPLETED }])
})
