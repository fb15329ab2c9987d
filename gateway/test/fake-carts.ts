import type { Handlers } from '@storekeep/common/grpc'
import type { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { newId } from './ids.ts'

/** The carts of the checkout service without its rules. */
export function cartsHandlers(): Handlers<typeof CartsService> {
  return {
    getCart: async () => ({ cart: { currency: 'eur' } }),
    setCartLines: async ({ lines }) => ({
      cart: { currency: 'eur', lines: lines.map(({ $typeName, $unknown, ...input }) => ({ input })) },
    }),
    clearCart: async () => ({}),
    checkOutCart: async () => ({
      session: { id: newId() },
      token: 'abcdefghijklmnopqrstuvwxyz23',
      url: 'https://checkout.example.com/?t=abcdefghijklmnopqrstuvwxyz23',
    }),
  }
}
