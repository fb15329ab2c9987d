import type { Command } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'

export const revokeStoreTokens: Command = {
  name: 'revoke-store-tokens',
  summary: 'Signs out every customer of a store by revoking all tokens issued so far.',
  options: [storeOption],
  examples: ['--store rusty-isles'],
  async run(values, services) {
    const store = await findStore(services, values.required('store'))
    const { tokenEpoch } = await services.customers.revokeStoreTokens({}, services.call(store.id))
    return { records: [{ store_id: store.id, slug: store.slug, token_epoch: tokenEpoch }], list: false }
  },
}
