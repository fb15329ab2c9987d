/** The values that are neither undefined nor empty. */
export function nonEmpty(...values: readonly (string | undefined)[]): string[] {
  return values.filter((value): value is string => value !== undefined && value !== '')
}
