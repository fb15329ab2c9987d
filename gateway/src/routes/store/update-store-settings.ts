import {
  storeSettingsDto,
  storeSettingsDtoSchema,
  storeSettingsExample,
} from '@storekeep/records/stores/store-settings-dto'
import { endpoint } from '../../http/endpoint.ts'
import { storeMask, storeMessage, storePatch } from './store-input.ts'

const change = {
  support_email: 'support@rusty-hut.example.com',
  links: { refunds: 'https://rusty-hut.example.com/refunds' },
}

export const updateStoreSettings = endpoint({
  operationId: 'updateStoreSettings',
  tag: 'Store',
  summary: 'Update the settings of the store',
  description:
    'Omitted fields are left unchanged, also within `links`, `seller` and `tax`; null clears a nullable field. Lists are ' +
    'replaced as a whole. The pages of shoppers and the storefront show a change within five seconds.',
  method: 'patch',
  path: '/v1/stores/{storeId}',
  auth: 'api-key',
  scope: 'store:write',
  body: storePatch,
  bodyExample: change,
  success: {
    status: 200,
    description: 'The updated store.',
    schema: storeSettingsDtoSchema,
    example: {
      ...storeSettingsExample,
      support_email: change.support_email,
      links: { ...storeSettingsExample.links, ...change.links },
      updated_at: '2026-11-20T15:02:41.120Z',
    },
  },
  async handle({ stores }, { body, call }) {
    const update = { store: storeMessage(body), updateMask: { paths: storeMask(body) } }
    const { store } = await stores.updateStore(update, call)
    return { body: storeSettingsDto(store) }
  },
})
