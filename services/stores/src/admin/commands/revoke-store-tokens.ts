import type { Command } from '../command.ts'
import { findStore, storeFlag } from '../find-store.ts'

export const revokeStoreTokens: Command = {
  name: 'revoke-store-tokens',
  summary: 'Signs every customer of a store out: all customer tokens made until now become invalid.',
  flags: [storeFlag],
  examples: ['--store rusty-isles'],
  async run(values, services) {
    const store = await findStore(services, values.text('store'))
    const { tokenEpoch } = await services.customers.revokeStoreTokens({}, services.call(store.id))
    return { records: [{ store_id: store.id, slug: store.slug, token_epoch: tokenEpoch }], list: false }
  },
}
