import type { ServiceFault } from '@storekeep/common/errors'
import { html } from 'hono/html'
import type { Reply } from '../http/route.ts'
import type { SiteRequest } from '../http/site-request.ts'
import type { Texts } from '../texts/en.ts'
import type { Html } from './html.ts'
import { pageReply } from './layout.ts'
import { message } from './parts.ts'

/** The page of an error. Shows only the kind of the fault. */
export function faultPage(request: SiteRequest, { fault, status, retry }: FaultPage): Promise<Reply> {
  const { texts } = request.language
  const { title, text } = describe(fault, texts)
  return pageReply(request, {
    title,
    content: message({ title, text, form: retry && retryForm(retry, texts) }),
    status,
    scripts: retry?.delaySeconds === undefined ? [] : ['forms.js', 'retry.js'],
    formOrigins: retry?.origins,
  })
}

export interface FaultPage {
  fault: ServiceFault
  status: number
  /** How the shopper repeats the request; undefined if that cannot help. */
  retry: Retry | undefined
}

export interface Retry {
  method: 'get' | 'post'
  /** The fields of the form, or of the query. */
  fields: URLSearchParams
  /** Further origins of its redirects. */
  origins: readonly string[]
  /** After how many seconds the page repeats the request by itself; undefined if only the button does. */
  delaySeconds: number | undefined
}

/**
 * Every request of the pages may be repeated. The form has no action, so it submits to the address of the page. Without script, the
 * shopper presses the button.
 */
function retryForm({ method, fields, delaySeconds }: Retry, { tryAgain, retrying }: Texts): Html {
  const isAutomatic = delaySeconds !== undefined
  return html`<form method="${method}" data-once${isAutomatic ? html` data-retry-seconds="${delaySeconds}"` : ''}>
${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${isAutomatic ? html`<p data-retrying hidden>${retrying}</p>` : ''}
<button class="button">${tryAgain}</button>
</form>`
}

function describe({ code }: ServiceFault, texts: Texts): { title: string; text: string } {
  switch (code) {
    case 'not-found':
    case 'unauthorized':
      return { title: texts.notFoundTitle, text: texts.notFoundText }
    case 'forbidden':
      return { title: texts.forbiddenTitle, text: texts.forbiddenText }
    case 'customer-banned':
      return { title: texts.forbiddenTitle, text: texts.banned }
    case 'too-many-requests':
      return { title: texts.tooManyTitle, text: texts.tooManyText }
    case 'conflict':
      return { title: texts.conflictTitle, text: texts.conflictText }
    case 'bad-request':
    case 'validation-failed':
    case 'method-not-allowed':
    case 'payload-too-large':
      return { title: texts.invalidTitle, text: texts.invalidText }
    default:
      return { title: texts.unavailableTitle, text: texts.unavailableText }
  }
}
