import type { ProductTerms } from '../../products/domain/product.ts'
import { permilleOf, sum } from './rounding.ts'

/** What decides on the price of a line, beside how many there are. */
export interface LineTerms
  extends Pick<ProductTerms, 'price' | 'tags' | 'isCouponsDisabled' | 'isAffiliateLinksDisabled'> {
  /** Null when the line brought its own product. */
  productId: string | null
  subscription: boolean
}

/** What an option adds to the price: minor units, or permille of the product's price; below 0 for a reduction. */
export interface OptionTerms {
  priceType: 'fixed' | 'percentage'
  price: bigint
}

/** The price of one unit, and the part of the options in it: no more is taken off than there is. */
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
