import type { Handlers } from '@storekeep/common/grpc'
import type { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import type { AppContext } from '../../context.ts'

export function createProductHandlers(_ctx: AppContext): ProductHandlers {
  const missing = () => Promise.reject(new Error('not built yet'))
  return {
    createProduct: missing,
    getProduct: missing,
    listProducts: missing,
    updateProduct: missing,
    deleteProduct: missing,
  }
}

export type ProductHandlers = Handlers<typeof ProductsService>
