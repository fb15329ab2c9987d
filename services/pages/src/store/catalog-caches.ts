import type { CatalogProduct } from '@storekeep/proto/checkout/v1/product'
import type { Tag } from '@storekeep/proto/checkout/v1/tag'
import type { CustomVariable } from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { type BriefCache, createBriefCache } from './brief-cache.ts'

/** What store pages show to everyone, kept for five seconds. */
export interface CatalogCaches {
  stores: BriefCache<Store | undefined>
  tags: BriefCache<readonly Tag[]>
  variables: BriefCache<readonly CustomVariable[]>
  products: BriefCache<ProductPage>
}

export function createCatalogCaches(clock: { monotonicMs: () => number }): CatalogCaches {
  return {
    stores: createBriefCache({ ...clock, capacity: 10_000 }),
    tags: createBriefCache({ ...clock, capacity: 500 }),
    variables: createBriefCache({ ...clock, capacity: 100 }),
    products: createBriefCache({ ...clock, capacity: 500 }),
  }
}

export interface ProductPage {
  products: readonly CatalogProduct[]
  hasNext: boolean
  hasPrevious: boolean
}
