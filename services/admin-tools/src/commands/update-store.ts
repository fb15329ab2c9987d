import type { Command, CommandOption } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { storeRecord } from '../records.ts'

export const accentColorOption: CommandOption = {
  name: 'accent-color',
  value: '<color>',
  help: 'Colour of buttons and links on the checkout page and the portal: "#" and six hexadecimal digits.',
}

export const updateStore: Command = {
  name: 'update-store',
  summary: 'Changes a store.',
  options: [storeOption, { ...accentColorOption, help: `${accentColorOption.help} "" restores the default.` }],
  examples: ['--store rusty-isles --accent-color "#b45309"'],
  async run(values, services) {
    const { id: storeId } = await findStore(services, values.required('store'))
    const accentColor = values.optional('accent-color')
    const request = { storeId, ...(accentColor !== undefined && { accentColor }) }
    const { store } = await services.stores.updateStore(request, services.call())
    return { records: store ? [storeRecord(store)] : [], list: false }
  },
}
