/**
 * Multiplies the amount of work of a test by TEST_SCALE (1 by default). Guarantees hold at every scale; a larger one finds
 * rarer faults.
 */
export function scaled(amount: number): number {
  const scale = Number(process.env.TEST_SCALE ?? 1)
  if (!(scale > 0)) throw new Error(`TEST_SCALE must be a number above 0, not ${process.env.TEST_SCALE}.`)
  return Math.ceil(amount * scale)
}
