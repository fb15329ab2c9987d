/** A share of an amount, in permille; half a unit is rounded away from zero. */
export function permilleOf(amount: bigint, permille: bigint): bigint {
  const product = amount * permille
  const half = product < 0n ? -500n : 500n
  return (product + half) / 1000n
}

/**
 * Spreads an amount over weights in proportion, without losing or making a unit: each part is first rounded down, then
 * the largest remainders get one unit more, ties the earlier. With weights that are at least the amount together, no
 * part exceeds its weight.
 */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights)
  if (whole === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (amount * weight) / whole)
  const left = Number(amount - sum(parts))
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (amount * weight) % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n
  return parts
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
