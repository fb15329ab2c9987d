/** Those that have a value. */
export function given(...values: readonly (string | undefined)[]): string[] {
  return values.filter((value): value is string => value !== undefined && value !== '')
}
