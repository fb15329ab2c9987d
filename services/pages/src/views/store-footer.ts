import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'

/** Who sells, where to get help, and the legal pages: what shoppers expect wherever they pay. Empty if nothing of it is set. */
export function storeFooter({ websiteUrl, supportEmail, links, seller }: Store, { texts }: Language): Html | '' {
  // Links open in a new tab, so that a form that is half filled in is not lost.
  const pages = [
    websiteUrl && link(websiteUrl, texts.website),
    links?.terms && link(links.terms, texts.terms),
    links?.privacy && link(links.privacy, texts.privacy),
    links?.refunds && link(links.refunds, texts.refundPolicy),
    supportEmail &&
      html`${texts.support} <a href="mailto:${encodeURIComponent(supportEmail).replaceAll('%40', '@')}">${supportEmail}</a>`,
  ].filter((page) => page)
  const address = seller?.address
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ')
  const facts = [
    seller?.name && texts.soldBy(seller.name),
    address,
    seller?.taxId && `${texts.sellerTaxId} ${seller.taxId}`,
    seller?.register,
  ].filter((fact) => fact)
  if (pages.length === 0 && facts.length === 0) return ''
  return html`<div class="store-footer">
${pages.length === 0 ? '' : html`<ul>${pages.map((page) => html`<li>${page}</li>`)}</ul>`}
${facts.length === 0 ? '' : html`<p>${facts.join(' · ')}</p>`}
</div>`
}

function link(url: string, text: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener">${text}</a>`
}
