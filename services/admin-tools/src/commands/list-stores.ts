import type { Command } from '../command.ts'
import { storeRecord } from '../records.ts'

export const listStores: Command = {
  name: 'list-stores',
  summary: 'Lists all stores, oldest first.',
  runsInEveryCell: true,
  options: [],
  examples: ['', '--json'],
  async run(_values, services) {
    const { stores } = await services.stores.listStores({}, services.call())
    return { records: stores.map(storeRecord), list: true }
  },
}
