import { paymentSettingsLimits } from '@storekeep/proto/conventions/limits'
import { offeredProvider, offeredProviderValues } from '@storekeep/records/payments/payment-enums'
import { text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { settingsDto, settingsDtoSchema, settingsExample } from './payment-settings-dto.ts'

const secret = text(1, paymentSettingsLimits.secretLength)

const settingsPatch = z
  .object({
    enabled_providers: z
      .array(offeredProvider)
      .max(3)
      .nullish()
      .describe('How customers can pay. A provider needs its settings below.'),
    manual_instructions: text(1, paymentSettingsLimits.instructionsLength)
      .nullish()
      .describe('Shown to customers who pay manually. Required for `manual`.'),
    stripe_secret_key: secret
      .nullish()
      .describe('Secret or restricted key of Stripe. Required for `stripe`; never returned.'),
    stripe_webhook_secret: secret
      .nullish()
      .describe('Signing secret of the Stripe webhook (`whsec_…`). Required for `stripe`; never returned.'),
    ban_on_chargeback: z
      .boolean()
      .nullish()
      .describe('Whether the customer of an order that is charged back is banned.'),
  })
  .meta({ id: 'UpdatePaymentSettingsDto', description: 'Changes to the payment settings.' })

export const updatePaymentSettings = endpoint({
  operationId: 'updatePaymentSettings',
  tag: 'Payments',
  summary: 'Update the payment settings',
  description: 'Omitted fields are left unchanged; null clears the instructions or a secret.',
  method: 'patch',
  path: '/v1/stores/{storeId}/payment-settings',
  auth: 'api-key',
  scope: 'orders:write',
  body: settingsPatch,
  bodyExample: { enabled_providers: ['manual'], manual_instructions: settingsExample.manual_instructions },
  success: { status: 200, description: 'The settings.', schema: settingsDtoSchema, example: settingsExample },
  async handle({ payments }, { body, call }) {
    const { enabled_providers: providers, ban_on_chargeback: banOnChargeback } = body
    const request = {
      ...(providers && { enabledProviders: { providers: providers.map((name) => offeredProviderValues[name]) } }),
      ...(banOnChargeback != null && { banOnChargeback }),
      ...(body.manual_instructions !== undefined && { manualInstructions: body.manual_instructions ?? '' }),
      ...(body.stripe_secret_key !== undefined && { stripeSecretKey: body.stripe_secret_key ?? '' }),
      ...(body.stripe_webhook_secret !== undefined && { stripeWebhookSecret: body.stripe_webhook_secret ?? '' }),
    }
    const { settings } = await payments.updatePaymentSettings(request, call)
    return { body: settingsDto(settings) }
  },
})
