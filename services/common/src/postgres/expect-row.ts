/** The first row of a statement that always returns one, such as an insert or an update of a locked row. */
export function expectRow<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}
