import type { Command } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { apiKeyRecord } from '../records.ts'

export const listKeys: Command = {
  name: 'list-keys',
  summary: 'Lists the API keys of a store, oldest first, without their secrets.',
  options: [storeOption],
  examples: ['--store rusty-isles', '--store 411486491630370816 --json'],
  async run(values, services) {
    const store = await findStore(services, values.required('store'))
    const { apiKeys } = await services.stores.listApiKeys({ storeId: store.id }, services.call())
    return { records: apiKeys.map(apiKeyRecord), list: true }
  },
}
