import type { Handlers } from '@storekeep/common/grpc'
import type { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'

const unused = () => Promise.reject(new Error('not called by a gateway'))

/** The checkout service without its rules. */
export function checkoutHandlers(): Handlers<typeof CheckoutService> {
  return {
    createCheckoutSession: unused,
    getCheckoutSession: unused,
    listCheckoutSessions: unused,
    completeCheckoutSession: unused,
    cancelCheckoutSession: unused,
  }
}

export function productsHandlers(): Handlers<typeof ProductsService> {
  return {
    createProduct: unused,
    getProduct: unused,
    listProducts: unused,
    updateProduct: unused,
    deleteProduct: unused,
  }
}
