import { randomId, violationsOf } from '@storekeep/common/testing'
import { PaymentProvider as Provider } from '@storekeep/proto/orders/v1/payment'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { asShopper, inStore, useOrders } from './harness.ts'

const orders = useOrders()
const secrets = { stripeSecretKey: 'rk_test_0123456789', stripeWebhookSecret: 'whsec_0123456789' }

it('settings are changed field by field; secrets are stored encrypted and never returned', async () => {
  const options = inStore()
  const { storeId } = options
  const initial = await orders.client.getPaymentSettings({}, options)
  expect(initial.settings).toMatchObject({ enabledProviders: [Provider.TEST], hasStripeSecretKey: false })
  const providers = [Provider.STRIPE, Provider.TEST]
  await orders.client.updatePaymentSettings({ ...secrets, enabledProviders: { providers } }, options)
  const { settings } = await orders.client.updatePaymentSettings({ banOnChargeback: true }, options)
  expect(settings).toMatchObject({
    enabledProviders: [Provider.STRIPE, Provider.TEST],
    hasStripeSecretKey: true,
    hasStripeWebhookSecret: true,
    banOnChargeback: true,
  })
  expect(await orders.client.getPaymentSettings({}, options)).toMatchObject({ settings })
  const [row] = await orders.database.query<{ text: string }>(
    sql`select encode(stripe_secret_key, 'escape') as text from payment_settings where store_id = ${storeId}`,
  )
  expect(row?.text).not.toContain('0123456789')
  expect(orders.logLines.join()).not.toContain('0123456789')
  const methods = await orders.client.listPaymentMethods({}, asShopper(storeId))
  expect(methods.providers).toEqual([Provider.STRIPE, Provider.TEST])
})

it('a provider cannot be enabled without what it needs, nor can what it needs be removed', async () => {
  const options = inStore(randomId())
  const change = (request: object) => orders.client.updatePaymentSettings(request, options)
  const providers = [Provider.MANUAL, Provider.STRIPE]
  expect(await violationsOf(change({ enabledProviders: { providers } }))).toEqual([
    'manual_instructions required',
    'stripe_secret_key required',
    'stripe_webhook_secret required',
  ])
  await change({ ...secrets, manualInstructions: 'x', enabledProviders: { providers } })
  expect(await violationsOf(change({ stripeSecretKey: '' }))).toEqual(['stripe_secret_key required'])
  expect(
    await violationsOf(
      change({
        stripeSecretKey: 'pk_test_1',
        stripeWebhookSecret: 'x',
        enabledProviders: { providers: [Provider.FREE] },
      }),
    ),
  ).toEqual(['enabled_providers.0 enum', 'stripe_secret_key format', 'stripe_webhook_secret format'])
})
