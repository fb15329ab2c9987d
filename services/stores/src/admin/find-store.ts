import type { Store } from '@storekeep/proto/stores/v1/store'
import { AdminError, type Flag, type Services } from './command.ts'

/** The flag that says which store a command is about. */
export const storeFlag: Flag = {
  name: 'store',
  value: '<id or slug>',
  help: 'The store.',
  required: true,
  members: ['store_id'],
}

/** @throws AdminError when no store has this id or slug */
export async function findStore(services: Services, idOrSlug: string): Promise<Store> {
  const { stores } = await services.stores.listStores({}, services.call())
  // A slug may be all digits, so an id goes first.
  const store = stores.find(({ id }) => id === idOrSlug) ?? stores.find(({ slug }) => slug === idOrSlug)
  if (!store) throw new AdminError(`There is no store with the id or slug "${idOrSlug}".`)
  return store
}
