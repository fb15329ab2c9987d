import { maxCell } from '../flake/index.ts'
import type { EnvReader } from './env.ts'

/** The addresses of the services of each cell (decision 0039), by the number of the cell. */
export type CellAddresses<Name extends string> = ReadonlyMap<number, Readonly<Record<Name, string>>>

/**
 * Reads CELLS, the numbers of the cells, and the addresses of the services of each cell: the settings of cell 0 have the given
 * names, those of another cell start with `CELL_<number>_`.
 *
 * @param settings the setting with the address of each service: `{ stores: 'STORES_ADDRESS' }`
 */
export function readCells<Name extends string>(
  env: EnvReader,
  settings: Readonly<Record<Name, string>>,
): CellAddresses<Name> {
  // Undefined for an invalid setting, which `finish` reports.
  const numbers: readonly number[] | undefined = env.custom('CELLS', parseCells, [0])
  const entries = (numbers ?? []).map((cell) => {
    const prefix = cell === 0 ? '' : `CELL_${cell}_`
    const addresses = Object.entries<string>(settings).map(([name, setting]) => [name, env.string(prefix + setting)])
    return [cell, Object.fromEntries(addresses)] as const
  })
  return new Map(entries)
}

function parseCells(text: string): readonly number[] {
  const parts = text.split(',').map((one) => one.trim())
  const cells = parts.map((one) => (/^\d{1,2}$/.test(one) ? Number(one) : Number.NaN))
  if (!cells.every((cell) => cell <= maxCell) || new Set(cells).size !== cells.length) {
    throw new Error(`must be comma-separated numbers of cells from 0 to ${maxCell}, each once`)
  }
  return cells
}
