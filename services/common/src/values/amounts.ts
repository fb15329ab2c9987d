/** The largest integer that JSON parsers represent exactly. */
export const maxJsonInteger = BigInt(Number.MAX_SAFE_INTEGER)

/** A share of an amount, in permille, rounded half away from zero. */
export function permilleOf(amount: bigint, permille: bigint): bigint {
  const product = amount * permille
  const half = product < 0n ? -500n : 500n
  return (product + half) / 1000n
}

/** The sum of the amounts; 0 for none. */
export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
