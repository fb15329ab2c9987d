import type { AppContext, ProductHandlers } from '../../context.ts'
import { createProduct } from './create-product.ts'
import { deleteProduct } from './delete-product.ts'
import { getCatalogProduct } from './get-catalog-product.ts'
import { getProduct } from './get-product.ts'
import { listCatalogProducts } from './list-catalog-products.ts'
import { listProducts } from './list-products.ts'
import { updateProduct } from './update-product.ts'

export function createProductHandlers(ctx: AppContext): ProductHandlers {
  return {
    createProduct: createProduct(ctx),
    getProduct: getProduct(ctx),
    listProducts: listProducts(ctx),
    listCatalogProducts: listCatalogProducts(ctx),
    getCatalogProduct: getCatalogProduct(ctx),
    updateProduct: updateProduct(ctx),
    deleteProduct: deleteProduct(ctx),
  }
}
