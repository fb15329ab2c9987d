import type { PaymentSettings } from '@storekeep/proto/orders/v1/payments_service'
import { offeredProvider, offeredProviderValues } from '@storekeep/records/payments/payment-enums'
import { nameOf } from '@storekeep/records/schemas/enums'
import { z } from 'zod'

export const settingsDtoSchema = z
  .object({
    enabled_providers: z.array(offeredProvider).describe('How customers can pay, in the order in which it is offered.'),
    manual_instructions: z.string().nullable().describe('Shown to customers who pay manually.'),
    has_stripe_secret_key: z.boolean().describe('Whether a secret key of Stripe is set. The key is never returned.'),
    has_stripe_webhook_secret: z.boolean().describe('Whether the signing secret of a Stripe webhook is set.'),
    ban_on_chargeback: z.boolean().describe('Whether the customer of an order that is charged back is banned.'),
  })
  .meta({ id: 'PaymentSettingsDto', description: 'How the store is paid.' })

export type PaymentSettingsDto = z.input<typeof settingsDtoSchema>

export function settingsDto(settings: PaymentSettings | undefined): PaymentSettingsDto {
  if (!settings) throw new Error('A service returned no payment settings.')
  return {
    enabled_providers: settings.enabledProviders.map((provider) =>
      nameOf<keyof typeof offeredProviderValues, number>(offeredProviderValues, provider),
    ),
    manual_instructions: settings.manualInstructions ?? null,
    has_stripe_secret_key: settings.hasStripeSecretKey,
    has_stripe_webhook_secret: settings.hasStripeWebhookSecret,
    ban_on_chargeback: settings.banOnChargeback,
  }
}

export const settingsExample: PaymentSettingsDto = {
  enabled_providers: ['stripe', 'manual'],
  manual_instructions: 'Transfer the total to DE02 1203 0000 0000 2020 51.',
  has_stripe_secret_key: true,
  has_stripe_webhook_secret: true,
  ban_on_chargeback: false,
}
