import { imageAddress } from '@storekeep/proto/conventions/image-address'
import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { Site } from '../config.ts'
import { accentPath } from '../http/accent.ts'
import { type AssetName, assetPaths } from '../http/assets.ts'
import type { Reply, ReplyHeaders } from '../http/route.ts'
import type { SiteRequest } from '../http/site-request.ts'
import type { Html } from './html.ts'
import { logoImage } from './images.ts'
import { languagePicker } from './language-picker.ts'
import { storeFooter } from './store-footer.ts'

/** Builds the response of a page: the document around its content, and the policy of what it may load and submit. */
export async function pageReply(request: SiteRequest, page: Page): Promise<Reply> {
  const { status = 200, headers } = page
  const document = await layout(request, page)
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(request.site, page.formOrigins ?? []),
      ...headers,
    },
    body: document.toString(),
  }
}

export interface Page {
  title: string
  content: Html
  store?: Store | undefined
  status?: number
  headers?: ReplyHeaders
  scripts?: readonly AssetName[]
  /** Seconds after which `poll.js` checks for the first time whether the page has changed; undefined if it does not. */
  pollSeconds?: number | undefined
  /** Further origins of submitted forms and their redirects. */
  formOrigins?: readonly string[] | undefined
  /** Links next to the name of the store. */
  navigation?: Html | undefined
  /** The path to which the name of the store leads. */
  home?: string | undefined
}

function layout(request: SiteRequest, page: Page): Html {
  const { title, content, store, scripts = [], pollSeconds, navigation, home } = page
  const { site, language } = request
  const { texts, code } = language
  const base = site?.path ?? ''
  const name = store?.name ?? ''
  return html`<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name === '' ? title : `${title} · ${name}`}</title>
${site ? html`<link rel="stylesheet" href="${base}${assetPaths['style.css']}">` : ''}
${site && store?.accentColor ? html`<link rel="stylesheet" href="${base}${accentPath(store.accentColor)}">` : ''}
${icon(site, store)}
${[...scripts, ...(pollSeconds === undefined ? [] : (['poll.js'] as const))].map((script) => html`<script type="module" src="${base}${assetPaths[script]}"></script>`)}
</head>
<body data-pending="${texts.pending}"${pollSeconds === undefined ? '' : html` data-poll-seconds="${pollSeconds}"`}>
<header class="store">
${site && store ? logo(site, store) : ''}
<p class="store-name">${home === undefined ? name : html`<a href="${home}">${name}</a>`}</p>
${navigation ?? ''}
</header>
<main>
${content}
</main>
<footer>
${store ? storeFooter(store, language) : ''}
${page.status === undefined ? languagePicker(request) : ''}
</footer>
</body>
</html>
`
}

/** The icon of browser tabs: the one of the store, or else ours. */
function icon(site: Site | undefined, store: Store | undefined): Html {
  if (!site) return html`<link rel="icon" href="data:,">`
  return store?.iconUrl
    ? html`<link rel="icon" href="${imageAddress(site.path, store.id, store.iconUrl, 64)}" type="image/webp">`
    : html`<link rel="icon" href="${site.path}${assetPaths['favicon.svg']}" type="image/svg+xml">`
}

/** A square logo, or else the main logo, which may be far wider than high. */
function logo(site: Site, { id: storeId, logoUrl, logoSquareUrl }: Store): Html | '' {
  const url = logoSquareUrl ?? logoUrl
  return url ? logoImage({ site, storeId, url, isSquare: logoSquareUrl !== undefined }) : ''
}

function contentSecurityPolicy(site: Site | undefined, formOrigins: readonly string[]): string {
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${["'self'", ...formOrigins].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  if (site) directives.push(`report-uri ${site.path}/csp-reports`)
  return directives.join('; ')
}
