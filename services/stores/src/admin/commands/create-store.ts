import { Game } from '@storekeep/proto/stores/v1/store'
import { games } from '../../domain/store.ts'
import type { Command } from '../command.ts'
import { storeRecord } from '../records.ts'

export const createStore: Command = {
  name: 'create-store',
  summary: 'Makes a store.',
  flags: [
    { name: 'slug', value: '<text>', help: 'Unique and URL-safe: a-z, 0-9 and inner hyphens.', required: true },
    { name: 'name', value: '<text>', help: 'What people call it.', required: true },
    { name: 'game', value: '<game>', help: `One of ${games.join(', ')}.`, required: true },
    { name: 'currency', value: '<code>', help: 'ISO 4217 code that all its prices are in.', required: true },
    { name: 'logo-url', value: '<url>', help: 'Main logo.' },
    { name: 'logo-square-url', value: '<url>', help: 'Square logo.' },
    {
      name: 'bedrock-prefix',
      value: '<text>',
      help: 'What marks Bedrock names on a minecraft_geyser store, "." unless set.',
    },
  ],
  examples: [
    '--slug rusty-isles --name "Rusty Isles" --game rust --currency eur',
    '--slug cubes --name Cubes --game minecraft_geyser --currency usd --bedrock-prefix "*"',
  ],
  async run(values, { stores, call }) {
    const logoUrl = values.optional('logo-url')
    const logoSquareUrl = values.optional('logo-square-url')
    const bedrockPrefix = values.optional('bedrock-prefix')
    const request = {
      slug: values.text('slug'),
      name: values.text('name'),
      game: readGame(values.text('game')),
      currency: values.text('currency'),
      ...(logoUrl !== undefined && { logoUrl }),
      ...(logoSquareUrl !== undefined && { logoSquareUrl }),
      ...(bedrockPrefix !== undefined && { bedrockPrefix }),
    }
    const { store } = await stores.createStore(request, call())
    return { records: store ? [storeRecord(store)] : [], list: false }
  },
}

/** An unknown name is sent as UNSPECIFIED, so that the service says what is wrong with all values at once. */
function readGame(name: string): Game {
  const known = Object.entries(Game).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return known ? known[1] : Game.UNSPECIFIED
}
