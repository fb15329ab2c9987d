import { present } from '@storekeep/common/message'
import { AdminError, type Command, type CommandOption } from '../command.ts'
import { findStore, storeOption } from '../find-store.ts'
import { storeRecord } from '../records.ts'

export const accentColorOption: CommandOption = {
  name: 'accent-color',
  value: '<color>',
  help: 'Color of buttons and links on the checkout page and the portal: "#" and six hexadecimal digits.',
}

export const logoOption: CommandOption = { name: 'logo-url', value: '<url>', help: 'URL of the main logo.' }

export const squareLogoOption: CommandOption = {
  name: 'logo-square-url',
  value: '<url>',
  help: 'URL of the square logo, which the pages prefer.',
}

export const updateStore: Command = {
  name: 'update-store',
  summary: 'Changes the name, the logos or the color of a store.',
  options: [
    storeOption,
    { name: 'name', value: '<text>', help: 'Display name.' },
    { ...logoOption, help: `${logoOption.help} "" removes it.` },
    { ...squareLogoOption, help: `${squareLogoOption.help} "" removes it.` },
    { ...accentColorOption, help: `${accentColorOption.help} "" restores the default.` },
  ],
  examples: [
    '--store rusty-isles --accent-color "#b45309"',
    '--store rusty-isles --name "Rustier Isles" --logo-square-url https://cdn.example.com/logo.png',
  ],
  async run(values, services) {
    const given = changeable.flatMap((name) => {
      const value = values.optional(name)
      return value === undefined ? [] : [{ name, value }]
    })
    if (given.length === 0)
      throw new AdminError(`Nothing to change: add ${changeable.map((name) => `--${name}`).join(', ')}.`)
    const { id: storeId } = await findStore(services, values.required('store'))
    const field = (name: (typeof changeable)[number]) => given.find((one) => one.name === name)?.value || undefined
    const fields = present({
      name: field('name'),
      logoUrl: field('logo-url'),
      logoSquareUrl: field('logo-square-url'),
      accentColor: field('accent-color'),
    })
    const updateMask = { paths: given.map(({ name }) => name.replaceAll('-', '_')) }
    const response = await services.stores.updateStore({ storeId, ...fields, updateMask }, services.call())
    return { records: response.store ? [storeRecord(response.store)] : [], list: false }
  },
}

const changeable = ['name', 'logo-url', 'logo-square-url', 'accent-color'] as const
