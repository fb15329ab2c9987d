import type { SecretBox } from '@storekeep/common/crypto'
import type { Logger } from '@storekeep/common/log'
import type { ProviderName } from '../../payments/domain/payment.ts'
import { type PaymentSettings, secretsOf } from '../../payments/domain/payment-settings.ts'
import type { PaymentProvider } from './provider.ts'
import { freeProvider, manualProvider, testProvider } from './simple-providers.ts'
import { createStripeProvider } from './stripe-provider.ts'

/** The payment providers with the credentials of a store. */
export type StoreProviders = Readonly<Record<ProviderName, PaymentProvider>>

/** Secrets are decrypted when a provider is called, so a secret that cannot be decrypted fails only these calls. */
export function bindProviders(
  { log, secrets, stripeBaseUrl }: { log: Logger; secrets: SecretBox; stripeBaseUrl: string },
  storeId: string,
  { stripeSecretKey, stripeWebhookSecret }: PaymentSettings,
): StoreProviders {
  const { open } = secretsOf(secrets, storeId)
  return {
    test: testProvider,
    manual: manualProvider,
    free: freeProvider,
    stripe: createStripeProvider(
      { baseUrl: stripeBaseUrl, log },
      {
        secretKey: stripeSecretKey && (() => open('stripe_secret_key', stripeSecretKey)),
        webhookSecret: stripeWebhookSecret && (() => open('stripe_webhook_secret', stripeWebhookSecret)),
      },
    ),
  }
}
