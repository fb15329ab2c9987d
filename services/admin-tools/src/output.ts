/** What a command prints: one record or several with the same fields. */
export interface Result {
  records: readonly ResultRecord[]
  /** JSON prints a list as an array even when it holds one record. */
  list: boolean
  /** A sentence below the records; JSON omits it. */
  note?: string
}

export type ResultRecord = Record<string, string | number | readonly string[] | null>

export function formatResult({ records, list, note }: Result, { json }: { json: boolean }): string {
  if (json) return JSON.stringify(list ? records : records[0], undefined, 2)
  const lines = list ? table(records) : records.flatMap(fields)
  return [...lines, ...(note === undefined ? [] : ['', note])].join('\n')
}

function table(records: readonly ResultRecord[]): string[] {
  const [first] = records
  if (!first) return ['No records.']
  const names = Object.keys(first)
  return alignColumns([
    names.map((name) => name.toUpperCase()),
    ...records.map((record) => names.map((name) => cell(record[name]))),
  ])
}

function fields(record: ResultRecord): string[] {
  return alignColumns(Object.entries(record).map(([name, value]) => [name, cell(value)]))
}

function cell(value: ResultRecord[string] | undefined): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? value.join(',') : String(value)
}

/** Rows as lines, each column as wide as its widest cell. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((text, column) => Math.max(text.length, widest[column] ?? 0)),
    [],
  )
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
