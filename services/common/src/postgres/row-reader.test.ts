import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { compileRowReader, RowReader } from './row-reader.ts'
import { parseTimestamp } from './type-parsers.ts'

describe('a row reader', () => {
  const { builtins } = pg.types
  const readRow = compileRowReader([
    { name: `it's "quoted" \\`, dataTypeID: builtins.INT4 },
    { name: 'nothing', dataTypeID: builtins.TEXT },
  ])

  function read(values: (string | null)[]): object {
    const reader = new RowReader()
    const columns = values.map((value) => {
      const text = Buffer.from(value ?? '')
      const length = Buffer.alloc(4)
      length.writeInt32BE(value === null ? -1 : text.length)
      return Buffer.concat([length, text])
    })
    const message = Buffer.concat([Buffer.alloc(1), Buffer.from([0, values.length]), ...columns])
    reader.open(message, 1, message.length)
    const row = readRow(reader)
    reader.close()
    return row
  }

  it('quotes the names of columns', () => {
    expect(read(['-7', null])).toEqual({ 'it\'s "quoted" \\': -7, nothing: null })
  })

  it.each([[[]], [['1']], [['1', 'a', 'b']]])('rejects a row with other columns than described: %j', (values) => {
    expect(() => read(values)).toThrow('malformed')
  })
})

describe('a timestamp', () => {
  it('has the value of a Date from year 1 to 9999, in milliseconds', () => {
    const last = Date.UTC(9999, 11, 31)
    // About a hundred days, so that all days of the year and all times of the day occur.
    for (let ms = Date.parse('0001-01-01T00:00:00Z'); ms < last; ms += 8_647_413_129) {
      const text = new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')
      if (parseTimestamp(text)?.valueOf() !== ms) expect(parseTimestamp(text), text).toEqual(new Date(ms))
    }
    expect(parseTimestamp('2026-01-02 03:04:05+00')).toEqual(new Date('2026-01-02T03:04:05Z'))
    expect(parseTimestamp('2026-01-02 03:04:05.1+00')).toEqual(new Date('2026-01-02T03:04:05.100Z'))
    expect(parseTimestamp('2026-01-02 03:04:05.678999+00')).toEqual(new Date('2026-01-02T03:04:05.678Z'))
  })
})
