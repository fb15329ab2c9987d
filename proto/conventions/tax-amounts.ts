/** What a buyer pays for a line, in minor units. Net plus tax is the gross amount. */
export interface TaxedAmount {
  netAmount: bigint
  taxAmount: bigint
}

/** The rate of a tax. */
export interface TaxRate {
  /** Hundredths of a percent: 1,900 is 19 %. */
  rate: number
  /** Whether prices contain the tax. */
  inclusive: boolean
}

/**
 * Splits prices into net and tax, each rounded to the minor unit half up, so that the sums of the lines are the sums of the
 * order.
 * @param prices in minor units, not negative
 */
export function taxAmounts(prices: readonly bigint[], { rate, inclusive }: TaxRate): TaxedAmount[] {
  const whole = 10_000n
  const share = BigInt(rate)
  return prices.map((price) => {
    if (!inclusive) return { netAmount: price, taxAmount: roundedQuotient(price * share, whole) }
    const taxAmount = roundedQuotient(price * share, whole + share)
    return { netAmount: price - taxAmount, taxAmount }
  })
}

/**
 * Splits a total in proportion to weights. The shares add up to the total, and no share exceeds its weight if the total does not
 * exceed the sum of the weights.
 * @returns zeros if all weights are 0
 */
export function splitAmount(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  let before = 0n
  return weights.map((weight) => {
    if (whole === 0n) return 0n
    const from = (total * before) / whole
    before += weight
    return (total * before) / whole - from
  })
}

/** Both are not negative. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}
