import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@storekeep/common/crypto'
import { randomId, violationsOf } from '@storekeep/common/testing'
import { PaymentProvider as Provider } from '@storekeep/proto/orders/v1/payment'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { asShopper, inStore, useOrders } from './harness.ts'

const [current, old] = [1, 2].map(() => randomBytes(32).toString('base64url')) as [string, string]
const orders = useOrders(async (env) => ({ ...env, ENCRYPTION_KEY: `${current},${old}` }))
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

it('secrets are encrypted with the new key during a rotation, so that the old one can be removed', async () => {
  const options = inStore()
  const { storeId } = options
  await orders.client.updatePaymentSettings(secrets, options)
  const contextOf = (name: string) => `payment_settings ${storeId} ${name}`
  const sealed = createSecretBox(old).seal(Buffer.from(secrets.stripeSecretKey), contextOf('stripe_secret_key'))
  await orders.database.query(
    sql`update payment_settings set stripe_secret_key = ${sealed} where store_id = ${storeId}`,
  )
  const read = async () => {
    const [row] = await orders.database.query<{ key: Buffer; webhook: Buffer }>(sql`
      select stripe_secret_key as key, stripe_webhook_secret as webhook from payment_settings
      where store_id = ${storeId}`)
    const box = createSecretBox(current)
    const open = (bytes: Buffer | undefined, name: string) => box.open(bytes ?? Buffer.of(), contextOf(name)).toString()
    return [open(row?.key, 'stripe_secret_key'), open(row?.webhook, 'stripe_webhook_secret')]
  }
  const plain = () => read().catch(() => undefined)
  await expect.poll(plain).toEqual([secrets.stripeSecretKey, secrets.stripeWebhookSecret])
})
