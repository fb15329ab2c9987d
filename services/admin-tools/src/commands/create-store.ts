import { Game } from '@storekeep/proto/stores/v1/store'
import type { Command } from '../command.ts'
import { enumNames } from '../enum-names.ts'
import { storeRecord } from '../records.ts'
import { accentColorOption, logoOption, squareLogoOption } from './store-options.ts'

export const createStore: Command = {
  name: 'create-store',
  summary: 'Creates a store. update-store sets everything else about it.',
  options: [
    {
      name: 'slug',
      value: '<text>',
      help: 'Unique short name, which admin commands accept instead of the id: a-z, 0-9 and single hyphens between them.',
      required: true,
    },
    { name: 'name', value: '<text>', help: 'Display name.', required: true },
    { name: 'game', value: '<game>', help: `The game: ${enumNames(Game).join(', ')}.`, required: true },
    { name: 'currency', value: '<code>', help: 'ISO 4217 code of the currency of all prices.', required: true },
    logoOption,
    squareLogoOption,
    {
      name: 'bedrock-prefix',
      value: '<text>',
      help: 'Prefix of Bedrock names in a minecraft_geyser store; "." if omitted.',
    },
    accentColorOption,
  ],
  examples: [
    '--slug rusty-isles --name "Rusty Isles" --game rust --currency eur',
    '--slug cubes --name Cubes --game minecraft_geyser --currency usd --bedrock-prefix "*"',
  ],
  async run(values, { stores, call }) {
    const logoUrl = values.optional('logo-url')
    const logoSquareUrl = values.optional('logo-square-url')
    const bedrockPrefix = values.optional('bedrock-prefix')
    const accentColor = values.optional('accent-color')
    const request = {
      slug: values.required('slug'),
      name: values.required('name'),
      game: readGame(values.required('game')),
      currency: values.required('currency'),
      ...(logoUrl !== undefined && { logoUrl }),
      ...(logoSquareUrl !== undefined && { logoSquareUrl }),
      ...(bedrockPrefix !== undefined && { bedrockPrefix }),
      ...(accentColor !== undefined && { accentColor }),
    }
    const { store } = await stores.createStore(request, call())
    return { records: store ? [storeRecord(store)] : [], list: false }
  },
}

/** Sends an unknown name as UNSPECIFIED, so that the service reports all invalid values together. */
function readGame(name: string): Game {
  const known = Object.entries(Game).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return known ? known[1] : Game.UNSPECIFIED
}
