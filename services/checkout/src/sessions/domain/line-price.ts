import { permilleOf, sum } from '@storekeep/common/values'

/** What an option adds to the price: minor units, or permille of the product's price. Negative for a reduction. */
export interface OptionTerms {
  priceType: 'fixed' | 'percentage'
  price: bigint
}

/** The price of one unit and the part of the options in it. The unit price is never negative. */
export function priceLine(
  price: bigint,
  options: readonly OptionTerms[],
): { unitPrice: bigint; optionsAmount: bigint } {
  const wanted = sum(
    options.map((option) => (option.priceType === 'fixed' ? option.price : permilleOf(price, option.price))),
  )
  const unitPrice = price + wanted
  return unitPrice < 0n ? { unitPrice: 0n, optionsAmount: -price } : { unitPrice, optionsAmount: wanted }
}
