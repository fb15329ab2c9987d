import { openShop, useSharedSystem } from '@storekeep/test/kit'

export const monthly = {
  allow_subscription: true,
  subscription_interval_value: 1,
  subscription_interval_scale: 'month',
}

/** A line with an inline product, `quantity` times `price`. */
export function item(price: number, quantity = 1, terms: object = {}, fields: object = {}) {
  return { quantity, inline_product: { name: 'x', price, ...terms }, ...fields }
}

/** A new store with a customer who orders there. */
export async function openPricing() {
  const { createStore } = await useSharedSystem()
  const store = await createStore()
  const shop = openShop(store)
  const buyer = await shop.customer()

  function order(lines: object[], fields: object = {}) {
    return { lines, customer_id: buyer.id, ...fields }
  }

  /** The amounts that most tests compare: per line, then for the order. */
  async function priced(lines: object[], fields: object = {}) {
    const session = await shop.session(order(lines, fields))
    return {
      lines: session.lines.map(({ discount_amount, total_amount }) => [discount_amount, total_amount]),
      coupon: session.coupon_discount_amount,
      affiliate: session.affiliate_discount_amount,
      total: session.total_amount,
    }
  }

  return { createStore, store, shop, buyer, order, priced }
}
