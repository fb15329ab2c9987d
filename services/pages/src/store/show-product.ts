import type { Handler } from '../http/route.ts'
import { productPage } from '../views/product-page.ts'
import { loadProduct } from './catalog.ts'
import { loadShopperForCatalog, loadStore } from './load-store.ts'
import { problemOf } from './problems.ts'
import { shopPage } from './shop-page.ts'

/** A product, and the form that puts it into the cart. */
export const showProduct: Handler = async (ctx, request) => {
  const store = await loadStore(ctx, request)
  const { product: idOrSlug = '' } = request.params
  const [choices, shopper] = await Promise.all([
    loadProduct(ctx, request, store, idOrSlug),
    loadShopperForCatalog(ctx, request, store),
  ])
  const { query } = request
  const content = productPage({ request, store, choices, problem: problemOf(query), entered: query })
  return shopPage(request, { title: choices.product.name, content, store, shopper, isPublic: true })
}
