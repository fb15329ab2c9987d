import type { CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import type { Profile } from '@storekeep/proto/customers/v1/customer'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { Html } from './html.ts'
import { productImage } from './images.ts'

/** Who buys, so that shoppers do not pay for another account by mistake, and the way back to the store for another account. */
export function buyerView(
  { name, platform, avatarUrl }: Profile,
  { storeId, cancelUrl }: Pick<CheckoutSession, 'storeId' | 'cancelUrl'>,
  { language: { texts }, site }: PageRequest,
): Html {
  const account = { steam: 'Steam', minecraft: 'Minecraft' }[platform]
  return html`<div class="buyer pictured">${productImage({ site, storeId, url: avatarUrl, name, size: 'line' })}<div>
<p class="line-note">${texts.buyingAs}</p>
<p class="line-name">${name}</p>
<p class="line-note">${account ?? ''}${cancelUrl === undefined ? '' : html`${account === undefined ? '' : ' · '}<a href="${cancelUrl}" rel="noreferrer">${texts.notYou}</a>`}</p>
</div></div>`
}
