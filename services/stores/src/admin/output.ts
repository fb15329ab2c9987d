/** What a command found or did: one record or several, all with the same members. */
export interface Answer {
  records: readonly AnswerRecord[]
  /** True for a list, which JSON prints as an array even when it holds one. */
  list: boolean
  /** A sentence for people, below the records. */
  note?: string
}

export type AnswerRecord = Record<string, string | number | readonly string[] | null>

export function printAnswer(answer: Answer, { json }: { json: boolean }): string {
  const { records, list, note } = answer
  if (json) return JSON.stringify(list ? records : records[0], undefined, 2)
  const lines = list ? table(records) : records.flatMap(fields)
  return [...lines, ...(note === undefined ? [] : ['', note])].join('\n')
}

/** Rows of cells as lines, each column as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function table(records: readonly AnswerRecord[]): string[] {
  const [first] = records
  if (!first) return ['There are none.']
  const names = Object.keys(first)
  return alignColumns([
    names.map((name) => name.toUpperCase()),
    ...records.map((one) => names.map((name) => cell(one[name]))),
  ])
}

function fields(one: AnswerRecord): string[] {
  return alignColumns(Object.entries(one).map(([name, value]) => [name, cell(value)]))
}

function cell(value: AnswerRecord[string] | undefined): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? value.join(',') : String(value)
}
