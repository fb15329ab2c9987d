import { endpoint } from '../../http/endpoint.ts'
import { settingsDto, settingsDtoSchema, settingsExample } from './payment-settings-dto.ts'

export const getPaymentSettings = endpoint({
  operationId: 'getPaymentSettings',
  tag: 'Payments',
  summary: 'Get the payment settings',
  description: 'Returns how the store is paid, without its secrets.',
  method: 'get',
  path: '/v1/stores/{storeId}/payment-settings',
  auth: 'api-key',
  scope: 'orders:read',
  success: { status: 200, description: 'The settings.', schema: settingsDtoSchema, example: settingsExample },
  async handle({ payments }, { call }) {
    const { settings } = await payments.getPaymentSettings({}, call)
    return { body: settingsDto(settings) }
  },
})
