import type { CatalogProduct } from '@storekeep/proto/checkout/v1/product'
import type { Tag } from '@storekeep/proto/checkout/v1/tag'
import { type Store, TaxMode } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { PageRequest } from '../http/route.ts'
import type { ProductFilter } from '../store/catalog.ts'
import type { ProductPage } from '../store/catalog-caches.ts'
import { productPath, storePath, withQuery } from '../store/links.ts'
import { formatEvery, formatMoney } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { productImage } from './images.ts'

/** The categories of a store, a search, and one page of products. */
export function catalogPage(page: CatalogPage): Html {
  const { request, store, tags, tag, filter, products } = page
  const { store: texts } = request.language.texts
  const { search } = filter
  const isStart = !tag && search === undefined
  return html`<div class="shop-intro">
<h1>${titleOf(page)}</h1>
${isStart && store.description ? html`<p class="description">${store.description}</p>` : ''}
</div>
<div class="shop-tools">
${tags.length === 0 ? '' : categories(page)}
<form class="shop-search" method="get" action="${storePath(request, store)}" role="search">
<label class="visually-hidden" for="search">${texts.searchLabel}</label>
<div class="joined"><input id="search" name="search" type="search" value="${search ?? ''}" maxlength="200" placeholder="${texts.searchLabel}"><button class="button secondary" type="submit">${texts.search}</button></div>
</form>
</div>
${
  products.products.length === 0
    ? html`<p>${search === undefined ? texts.noProducts : texts.noResults}</p>`
    : html`<ul class="products">${products.products.map((product) => html`<li>${productCard(product, page)}</li>`)}</ul>`
}
${pageLinks(page)}
${taxHint(store, request.language)}`
}

export interface CatalogPage {
  request: PageRequest
  store: Store
  tags: readonly Tag[]
  /** The category that is shown; undefined for all products. */
  tag: Tag | undefined
  filter: ProductFilter
  products: ProductPage
}

export function titleOf({ request, tag, filter }: Pick<CatalogPage, 'request' | 'tag' | 'filter'>): string {
  const { store: texts } = request.language.texts
  if (filter.search !== undefined) return texts.results(filter.search)
  return tag?.name ?? texts.allProducts
}

function categories({ request, store, tags, tag, filter }: CatalogPage): Html {
  const { store: texts } = request.language.texts
  const home = storePath(request, store)
  const link = (href: string, name: string, isCurrent: boolean) =>
    html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a></li>`
  return html`<nav aria-label="${texts.categories}"><ul class="categories">
${link(home, texts.allProducts, tag === undefined && filter.search === undefined)}
${tags.map((one) => link(withQuery(home, { tag: one.slug ?? one.id }), one.name, one.id === tag?.id))}
</ul></nav>`
}

function productCard(product: CatalogProduct, { request, store }: CatalogPage): Html {
  const { language, site } = request
  const { name, label, imageUrl: url } = product
  return html`<a class="product" href="${productPath(request, store, product)}">
${productImage({ site, storeId: store.id, url, name, size: 'card' })}
<span class="product-text">
<span class="product-name">${name}</span>
${label ? html`<span class="badge">${label}</span>` : ''}
<span class="product-price">${priceOf(product, store.currency, language)}</span>
${availability(product, language)}
</span>
</a>`
}

/** "€4.99", or "€4.99 every month" for a product that is sold as a subscription only. */
export function priceOf(product: CatalogProduct, currency: string, language: Language): string {
  const price = formatMoney(product.price, currency, language)
  return product.allowOneTimePurchase ? price : subscriptionPrice(product, currency, language)
}

export function subscriptionPrice(product: CatalogProduct, currency: string, language: Language): string {
  const { price, subscriptionIntervalValue: intervalValue = 1, subscriptionIntervalScale: intervalScale = 0 } = product
  const every = formatEvery({ intervalValue, intervalScale }, language)
  return language.texts.pricePer(formatMoney(price, currency, language), every)
}

/** What shoppers should know about a stock that runs out. */
export function availability({ stockAvailable }: CatalogProduct, { texts }: Language): Html | '' {
  if (stockAvailable === undefined || stockAvailable > fewUnits) return ''
  const text = stockAvailable === 0n ? texts.store.soldOut : texts.store.stockLeft(Number(stockAvailable))
  return html`<span class="stock">${text}</span>`
}

const fewUnits = 10n

export function taxHint({ tax }: Store, { texts }: Language): Html | '' {
  if (tax?.mode === TaxMode.INCLUSIVE) return html`<p class="hint">${texts.store.taxIncluded}</p>`
  return tax?.mode === TaxMode.EXCLUSIVE ? html`<p class="hint">${texts.store.taxAdded}</p>` : ''
}

function pageLinks({ request, store, tag, filter, products }: CatalogPage): Html | '' {
  const { hasNext, hasPrevious, products: shown } = products
  if (!hasNext && !hasPrevious) return ''
  const { store: texts } = request.language.texts
  const to = (cursor: Readonly<Record<string, string | undefined>>) =>
    withQuery(storePath(request, store), { tag: tag && (tag.slug ?? tag.id), search: filter.search, ...cursor })
  return html`<nav class="links" aria-label="${texts.pages}">
${hasPrevious ? html`<a class="quiet" rel="prev" href="${to({ before: shown.at(0)?.id })}">${texts.previousPage}</a>` : ''}
${hasNext ? html`<a class="quiet" rel="next" href="${to({ after: shown.at(-1)?.id })}">${texts.nextPage}</a>` : ''}
</nav>`
}
