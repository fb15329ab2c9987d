import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'

/** The seller on a receipt: name, address, tax id and register. The name of the store stands for a seller without a name. */
export function sellerView({ name, seller }: Pick<Store, 'name' | 'seller'>, { texts }: Language): Html {
  const lines = [
    seller?.name ?? name,
    ...(seller?.address ?? '').split('\n'),
    seller?.taxId && `${texts.sellerTaxId} ${seller.taxId}`,
    seller?.register,
  ].filter((line) => line !== undefined && line !== '')
  return html`<div><dt>${texts.tax.seller}</dt><dd>${lines.map((line) => html`<span class="address-line">${line}</span>`)}</dd></div>`
}
