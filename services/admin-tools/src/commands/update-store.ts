import type { Command } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { storeSettingsRecord } from '../records.ts'
import { readStoreSettings, storeSettingOptions } from './store-options.ts'

export const updateStore: Command = {
  name: 'update-store',
  summary: 'Changes what a store says about itself to shoppers, and its settings.',
  options: [storeOption, ...storeSettingOptions],
  examples: [
    '--store rusty-isles --accent-color "#b45309"',
    '--store rusty-isles --name "Rustier Isles" --logo-square-url https://cdn.example.com/logo.png',
    '--store rusty-isles --tax-mode inclusive --tax-registrations "DE:19:VAT,AT::USt"',
  ],
  async run(values, services) {
    const { store: changes, paths } = readStoreSettings(values)
    const { id } = await findStore(services, values.required('store'))
    const { store } = await services.stores.updateStore({ store: changes, updateMask: { paths } }, services.call(id))
    return { records: store ? [storeSettingsRecord(store)] : [], list: false }
  },
}
