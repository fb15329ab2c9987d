import { cellOf } from '@storekeep/common/flake'
import { useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { beforeEach, describe, expect, it } from 'vitest'
import { failure, run, unreachable } from './run.ts'

/** The id of a store that the cell creates. */
const idIn = (cell: number, sequence = 0) => String((411_486_491_630n << 22n) | BigInt((cell << 16) | sequence))

/** What each cell was asked to do, in order. */
let calls: string[] = []
beforeEach(() => {
  calls = []
})

const [first, second] = [
  useCell(0, [
    { id: idIn(0), slug: 'rusty-isles' },
    { id: idIn(0, 1), slug: 'twin' },
  ]),
  useCell(1, [
    { id: idIn(1), slug: 'cubes' },
    { id: idIn(1, 1), slug: 'twin' },
    // All digits, and the id of a store in cell 0 at the same time.
    { id: idIn(1, 2), slug: idIn(0) },
  ]),
]
const admin = (...args: string[]) => run(args, first.addresses, { others: () => [second.addresses()] })

describe('with two cells, a command', () => {
  it.each([
    ['the id', idIn(1), 1],
    ['the slug', 'cubes', 1],
    ['the slug', 'rusty-isles', 0],
    ['the id, which is the slug of another store,', idIn(0), 0],
  ])('finds the cell of a store by %s %s', async (_by, store, cell) => {
    const { code, stderr } = await admin('revoke-store-tokens', '--store', store)
    expect({ code, stderr, revoked: calls.filter((one) => one.startsWith('revoke')) }).toEqual({
      code: 0,
      stderr: '',
      revoked: [`revoke in ${cell}`],
    })
  })

  it('finds the cell of a record by its id', async () => {
    await admin('revoke-key', '--key', idIn(1, 7))
    expect(calls).toEqual(['revoke key in 1'])
  })

  it('runs in the cell of --cell, regardless of the store, and without it in the first cell', async () => {
    const store = ['--slug', 'x', '--name', 'X', '--game', 'rust', '--currency', 'eur', '--json']
    expect(JSON.parse((await admin('create-store', ...store, '--cell', '1')).stdout)).toMatchObject({ cell: 1 })
    expect(JSON.parse((await admin('create-store', ...store)).stdout)).toMatchObject({ cell: 0 })
    expect((await admin('revoke-store-tokens', '--store', 'cubes', '--cell', '0')).stderr).toMatch(
      /^error: No store has the id or slug "cubes"/,
    )
  })

  it('rejects a cell that the tools do not reach', async () => {
    const message = 'these admin tools reach cells 0, 1 only.'
    expect(await admin('list-stores', '--cell', '2')).toEqual(failure(`--cell 2: ${message}`))
    expect(await admin('list-stores', '--cell', 'one')).toEqual(failure(`--cell one: ${message}`))
    expect(await admin('revoke-key', '--key', idIn(9))).toEqual(failure(`--key ${idIn(9)}: ${message}`))
  })

  it('asks for the cell if several have a store with the slug', async () => {
    expect(await admin('revoke-store-tokens', '--store', 'twin')).toEqual(
      failure('Cells 0 and 1 have stores with the slug "twin". Use the id or --cell.'),
    )
    expect((await admin('revoke-store-tokens', '--store', 'twin', '--cell', '1')).code).toBe(0)
    expect(await admin('revoke-store-tokens', '--store', 'nowhere')).toEqual(
      failure('No store of any cell has the id or slug "nowhere". See list-stores.'),
    )
  })

  it('lists the stores of all cells, or of one', async () => {
    const list = async (...args: string[]) => JSON.parse((await admin('list-stores', '--json', ...args)).stdout)
    expect((await list()).map(({ cell }: { cell: number }) => cell)).toEqual([0, 0, 1, 1, 1])
    expect((await list('--cell', '1')).map(({ slug }: { slug: string }) => slug)).toEqual(['cubes', 'twin', idIn(0)])
  })
})

describe('while a cell is down', () => {
  const broken = (...args: string[]) => run(args, first.addresses, { others: () => [{}] })
  const down = `The stores service of cell 1 at ${unreachable} is unreachable or not ready. Is Storekeep running?`

  it('stores of the others are listed, with an error', async () => {
    const { code, stdout, stderr } = await broken('list-stores')
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${down}\n` })
    expect(stdout).toContain('rusty-isles')
  })

  it('commands for stores of the others work by id and by --cell; a slug might be in the cell that is down', async () => {
    expect((await broken('revoke-store-tokens', '--store', idIn(0))).code).toBe(0)
    expect((await broken('revoke-store-tokens', '--store', 'rusty-isles', '--cell', '0')).code).toBe(0)
    expect(await broken('revoke-store-tokens', '--store', 'rusty-isles')).toEqual(
      failure(`${down} It may have a store with the slug "rusty-isles"; use the id or --cell.`),
    )
  })
})

function useCell(cell: number, stores: { id: string; slug: string }[]) {
  const fakeStores = useFakeService(StoresService, {
    listStores: async () => ({ stores }),
    createStore: async () => ({ store: { id: idIn(cell, 9) } }),
    revokeApiKey: async ({ apiKeyId }) => {
      calls.push(`revoke key in ${cellOf(apiKeyId) === cell ? cell : 'the wrong cell'}`)
      return {}
    },
  })
  const customers = useFakeService(CustomersService, {
    revokeStoreTokens: async () => {
      calls.push(`revoke in ${cell}`)
      return { tokenEpoch: 1 }
    },
  })
  return { addresses: () => ({ stores: fakeStores.address, customers: customers.address }) }
}
