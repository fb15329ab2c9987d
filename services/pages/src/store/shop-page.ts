import type { Store } from '@storekeep/proto/stores/v1/store'
import type { PageRequest, Reply } from '../http/route.ts'
import { type Page, pageReply } from '../views/layout.ts'
import { shopNavigation } from '../views/shop-header.ts'
import { storePath } from './links.ts'
import type { Shopper } from './load-store.ts'

/** A page of a store, with the links that all of them have. */
export function shopPage(request: PageRequest, { shopper, isPublic = false, ...page }: ShopPage): Promise<Reply> {
  return pageReply(request, {
    scripts: ['forms.js', 'local-time.js'],
    ...page,
    navigation: shopNavigation(request, page.store, shopper),
    home: storePath(request, page.store),
    // Search engines may list what everyone may see, unlike the other pages.
    ...(isPublic && { headers: { 'x-robots-tag': 'all' } }),
  })
}

interface ShopPage extends Page {
  store: Store
  shopper: Shopper | undefined
  /** Whether it is the same for everyone. */
  isPublic?: boolean
}
