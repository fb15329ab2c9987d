import type { Store } from '@storekeep/proto/stores/v1/store'
import { AdminError, type CommandOption, type Services } from './command.ts'

/** The option that selects the store of a command. */
export const storeOption: CommandOption = {
  name: 'store',
  value: '<id or slug>',
  help: 'The store.',
  required: true,
  fields: ['store_id'],
  locates: 'store',
}

/** @throws AdminError when no store has this id or slug */
export async function findStore(services: Services, idOrSlug: string): Promise<Store> {
  const { stores } = await services.stores.listStores({}, services.call())
  // A slug may be all digits, so ids take precedence.
  const store = stores.find(({ id }) => id === idOrSlug) ?? stores.find(({ slug }) => slug === idOrSlug)
  if (!store) throw new AdminError(`No store has the id or slug "${idOrSlug}". ${knownStores(stores)}`)
  return store
}

function knownStores(stores: readonly Store[]): string {
  if (stores.length === 0) return 'There are no stores.'
  const slugs = stores.slice(0, maxNamed).map(({ slug }) => slug)
  return `Stores: ${slugs.join(', ')}${stores.length > maxNamed ? ', … (see list-stores)' : '.'}`
}

const maxNamed = 10
