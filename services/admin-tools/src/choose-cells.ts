import { cellOf, isFlakeId } from '@storekeep/common/flake'
import { AdminError, type Command, type CommandOption, type OptionValues, type Services } from './command.ts'

/** The option of every command that chooses the cell. */
export const cellOption: CommandOption = {
  name: 'cell',
  value: '<number>',
  help: 'The cell. Default: the cell of the given store or id; without either, list-stores lists all cells, and other commands use the first.',
}

/**
 * The services of the cells in which a command runs (decision 0039). Ids contain their cell. A slug is unique in its cell only.
 *
 * @param cells the cells that these admin tools reach
 * @throws AdminError if the cell is unknown, or several cells have a store with the slug
 */
export async function chooseCells(
  { options, runsInEveryCell = false }: Command,
  values: OptionValues,
  cells: Cells,
): Promise<readonly Services[]> {
  const chosen = values.optional('cell')
  if (chosen !== undefined) return [servicesOf(cells, Number(chosen), `--cell ${chosen}`)]
  if (runsInEveryCell) return [...cells.values()]
  const located = options.find(({ locates }) => locates !== undefined)
  const text = located && values.optional(located.name)
  if (located && text !== undefined && located.locates === 'record' && isFlakeId(text)) {
    return [servicesOf(cells, cellOf(text), `--${located.name} ${text}`)]
  }
  const [first] = cells.values()
  if (first === undefined) throw new Error('There is no cell.')
  if (cells.size === 1 || text === undefined || located?.locates !== 'store') return [first]
  return [await findCell(cells, text)]
}

export type Cells = ReadonlyMap<number, Services>

function servicesOf(cells: Cells, cell: number, option: string): Services {
  const services = cells.get(cell)
  if (services) return services
  const numbers = [...cells.keys()].join(', ')
  throw new AdminError(`${option}: these admin tools reach ${cells.size === 1 ? 'cell' : 'cells'} ${numbers} only.`)
}

/** The services of the cell that has a store with this id or slug. */
async function findCell(cells: Cells, idOrSlug: string): Promise<Services> {
  const ofId = isFlakeId(idOrSlug) ? cells.get(cellOf(idOrSlug)) : undefined
  // A slug may be all digits.
  if (ofId && (await storesOf(ofId)).some(({ id }) => id === idOrSlug)) return ofId
  const found = await Promise.all(
    [...cells].map(async ([cell, services]) => {
      const stores = await storesOf(services, `It may have a store with the slug "${idOrSlug}"; use the id or --cell.`)
      return stores.some(({ slug }) => slug === idOrSlug) ? [{ cell, services }] : []
    }),
  )
  const [match, ...others] = found.flat()
  if (match === undefined)
    throw new AdminError(`No store of any cell has the id or slug "${idOrSlug}". See list-stores.`)
  if (others.length === 0) return match.services
  const numbers = [match, ...others].map(({ cell }) => cell).join(' and ')
  throw new AdminError(`Cells ${numbers} have stores with the slug "${idOrSlug}". Use the id or --cell.`)
}

async function storesOf({ stores, call }: Services, hint = '') {
  try {
    return (await stores.listStores({}, call())).stores
  } catch (error) {
    throw error instanceof AdminError ? new AdminError(`${error.message} ${hint}`.trim(), { cause: error }) : error
  }
}
