import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import { storePath, withQuery } from '../store/links.ts'
import type { Shopper } from '../store/load-store.ts'
import type { Html } from './html.ts'

/** The links to the cart and to signing in, which every store page has. */
export function shopNavigation(request: PageRequest, store: Store, shopper: Shopper | undefined): Html {
  const { texts } = request.language
  const { store: shop } = texts
  const signIn = withQuery(storePath(request, store, '/sign-in'), {
    back: request.req.method === 'GET' ? request.req.url : undefined,
  })
  const account = shopper
    ? html`<form method="post" action="${storePath(request, store, '/sign-out')}" data-once>
<span class="shopper">${nameOf(shopper)}</span>
<button class="quiet" type="submit">${texts.signOut}</button>
</form>`
    : html`<a href="${signIn}">${shop.signIn}</a>`
  return html`<nav class="shop-links screen" aria-label="${shop.navigation}">
<a href="${storePath(request, store, '/cart')}">${shop.cart}</a>
${account}
</nav>`
}

function nameOf({ customer }: Shopper): string {
  return customer.profile?.name ?? customer.id
}
