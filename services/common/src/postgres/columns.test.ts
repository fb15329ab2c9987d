import { describe, expect, it } from 'vitest'
import { type Columns, rowOf, selectColumns, setColumns } from './columns.ts'

interface Thing {
  id: string
  note: string | null
}

const columns = { id: 'id', note: 'internal_note' } as const satisfies Columns<keyof Thing>

describe('the columns of a row', () => {
  it('name its fields when reading, inserting and updating', () => {
    const row = rowOf(columns, { id: '7', note: 'new' })
    expect(row).toEqual({ id: '7', internal_note: 'new' })
    expect(selectColumns(columns).sql).toBe('id, internal_note as "note"')
    const { text, values } = setColumns(row)
    expect({ text, values }).toEqual({ text: 'id = $1, internal_note = $2', values: ['7', 'new'] })
  })

  it('do not compile without the column of a field, nor without its value', () => {
    // @ts-expect-error The column of `note` is missing.
    const incomplete = { id: 'id' } as const satisfies Columns<keyof Thing>
    expect(incomplete).toEqual({ id: 'id' })
    // @ts-expect-error The value of `note` is missing.
    expect(rowOf(columns, { id: '7' })).toEqual({ id: '7', internal_note: undefined })
  })
})
