import { sum } from '@storekeep/common/values'

/**
 * Spreads an amount over weights in proportion (largest remainder, ties to the earlier part), so that the parts add up
 * to the amount. If the weights add up to at least the amount, no part exceeds its weight.
 */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights)
  if (whole === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (amount * weight) / whole)
  const left = Number(amount - sum(parts))
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (amount * weight) % whole }))
    .sort((a, b) => Number(b.remainder - a.remainder))
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n
  return parts
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
