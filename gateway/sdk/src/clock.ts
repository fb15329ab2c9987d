/** Time of day in ms. */
export function now(): number {
  return Date.now()
}
