import type { AppContext, CartHandlers } from '../../context.ts'
import { checkOutCart } from './check-out-cart.ts'
import { clearCart } from './clear-cart.ts'
import { getCart } from './get-cart.ts'
import { setCartLines } from './set-cart-lines.ts'

export function createCartHandlers(ctx: AppContext): CartHandlers {
  return {
    getCart: getCart(ctx),
    setCartLines: setCartLines(ctx),
    clearCart: clearCart(ctx),
    checkOutCart: checkOutCart(ctx),
  }
}
