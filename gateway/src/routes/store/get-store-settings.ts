import {
  storeSettingsDto,
  storeSettingsDtoSchema,
  storeSettingsExample,
} from '@storekeep/records/stores/store-settings-dto'
import { endpoint } from '../../http/endpoint.ts'

export const getStoreSettings = endpoint({
  operationId: 'getStoreSettings',
  tag: 'Store',
  summary: 'Get the settings of the store',
  description: 'Returns what the store says about itself to shoppers, and its settings.',
  method: 'get',
  path: '/v1/stores/{storeId}',
  auth: 'api-key',
  scope: 'store:read',
  success: { status: 200, description: 'The store.', schema: storeSettingsDtoSchema, example: storeSettingsExample },
  async handle({ stores }, { call }) {
    const { store } = await stores.getStore({}, call)
    return { body: storeSettingsDto(store) }
  },
})
