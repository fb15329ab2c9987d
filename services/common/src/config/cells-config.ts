import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { maxCell } from '../flake/index.ts'
import type { EnvReader } from './env.ts'

/** The addresses of the services of each cell (decision 0039), by the number of the cell. */
export type CellAddresses<Name extends ServerName> = ReadonlyMap<number, Readonly<Record<Name, string>>>

/**
 * Reads CELLS, the numbers of the cells, and the addresses of these services in each cell: in cell 0 from `addressSetting`, in
 * other cells from the same name after `CELL_<number>_`.
 */
export function readCells<Name extends ServerName>(env: EnvReader, names: readonly Name[]): CellAddresses<Name> {
  // Undefined for an invalid setting, which `finish` reports.
  const numbers: readonly number[] | undefined = env.custom('CELLS', parseCells, [0])
  const entries = (numbers ?? []).map((cell) => {
    const prefix = cell === 0 ? '' : `CELL_${cell}_`
    const addresses = names.map((name) => [name, env.string(prefix + addressSetting(name))])
    return [cell, Object.fromEntries(addresses)] as const
  })
  return new Map(entries)
}

/** The setting with the address of a service: `CUSTOM_VARIABLES_ADDRESS`. */
export function addressSetting(name: ServerName): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`
}

function parseCells(text: string): readonly number[] {
  const parts = text.split(',').map((one) => one.trim())
  const cells = parts.map((one) => (/^\d{1,2}$/.test(one) ? Number(one) : Number.NaN))
  if (!cells.every((cell) => cell <= maxCell) || new Set(cells).size !== cells.length) {
    throw new Error(`must be comma-separated numbers of cells from 0 to ${maxCell}, each once`)
  }
  return cells
}
