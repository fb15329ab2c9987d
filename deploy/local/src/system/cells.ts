import { parseArgs } from 'node:util'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { addressSettings, type ServiceName } from '../services.ts'
import type { Settings } from './settings.ts'

/** Reads `--cells`: the numbers of the cells to run, from 0. @throws SetupError */
export function readCells(args: readonly string[], { databaseUrl, natsUrl }: Settings): number[] {
  const { values } = parseArgs({ args: [...args], options: { cells: { type: 'string', default: '1' } }, strict: false })
  const count = /^\d{1,2}$/.test(String(values.cells)) ? Number(values.cells) : 0
  if (count < 1 || count > 64) throw new SetupError('--cells must be a number from 1 to 64.')
  if (count > 1 && (databaseUrl || natsUrl)) {
    throw new SetupError('--cells starts a Postgres and a NATS for each cell. Unset DATABASE_URL and NATS_URL.')
  }
  return Array.from({ length: count }, (_, cell) => cell)
}

/** The name of a process, a log or a store: `stores` in cell 0, `cell-1-stores` in cell 1. */
export function nameInCell(cell: number, name: string): string {
  return cell === 0 ? name : `cell-${cell}-${name}`
}

/** CELLS and the addresses of services in all cells, for the gateway, the pages and the admin CLI. */
export function cellSettings(cells: readonly CellPlace[], names?: readonly ServiceName[]): Record<string, string> {
  const settings: Record<string, string> = { CELLS: cells.map(({ cell }) => cell).join() }
  for (const { cell, addresses } of cells) {
    for (const [setting, address] of Object.entries(addressSettings(addresses, names))) {
      settings[cell === 0 ? setting : `CELL_${cell}_${setting}`] = address
    }
  }
  return settings
}

export interface CellPlace {
  cell: number
  /** `host:port` of each service. */
  addresses: Record<ServiceName, string>
}
