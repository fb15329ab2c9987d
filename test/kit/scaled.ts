/**
 * How much a test does of what it can do more or less of: `amount` is what every run has time for, TEST_SCALE=20 makes it
 * twenty times as much. What is promised holds at every amount; the more, the rarer the mistake that is found.
 */
export function scaled(amount: number): number {
  const scale = Number(process.env.TEST_SCALE ?? 1)
  if (!(scale > 0)) throw new Error(`TEST_SCALE must be a number above 0, not ${process.env.TEST_SCALE}.`)
  return Math.ceil(amount * scale)
}
