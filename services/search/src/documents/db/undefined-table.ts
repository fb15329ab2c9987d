/** True when a statement failed because its table was dropped. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === undefinedTable
}

const undefinedTable = '42P01'
