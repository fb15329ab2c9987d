import type { ServiceFault } from '@storekeep/common/errors'
import { html } from 'hono/html'
import type { Site } from '../config.ts'
import type { Reply } from '../http/route.ts'
import { statusOf } from '../http/status-of.ts'
import type { Texts } from '../texts/en.ts'
import type { Language } from '../texts/language.ts'
import { type Html, type Page, pageReply } from './layout.ts'
import { message } from './parts.ts'

/** A page for anything that was thrown. Shows nothing of the fault but its kind. */
export function faultPage({ fault, language, site, headers, retry }: FaultPage): Promise<Reply> {
  const { title, text } = describe(fault, language.texts, retry)
  return pageReply({
    title,
    content: message({ title, text, details: retry && retryForm(retry, language.texts) }),
    language,
    site,
    status: statusOf(fault),
    headers,
    ...(retry && repeats(retry)),
  })
}

export interface FaultPage {
  fault: ServiceFault
  language: Language
  site: Site | undefined
  headers: Readonly<Record<string, string>>
  /** How the page repeats the request automatically; undefined if it does not. */
  retry: Retry | undefined
}

export interface Retry {
  delaySeconds: number
  /** The form to submit again, and where else its redirects may lead; undefined for a page to load again. */
  form?: { fields: URLSearchParams; origins: readonly string[] }
}

function repeats({ form, delaySeconds }: Retry): Partial<Page> {
  return form ? { scripts: ['forms.js', 'retry.js'], formOrigins: form.origins } : { refreshSeconds: delaySeconds }
}

/**
 * Every form of the pages may be submitted repeatedly. This one has no action, so it leads to the address of the page. Without
 * JavaScript, the shopper presses the button.
 */
function retryForm({ form, delaySeconds }: Retry, { tryAgain }: Texts): Html | undefined {
  if (form === undefined) return undefined
  return html`<form method="post" data-once data-retry-seconds="${delaySeconds}">
${[...form.fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="button">${tryAgain}</button>
</form>`
}

function describe({ code }: ServiceFault, texts: Texts, retry: Retry | undefined): { title: string; text: string } {
  switch (code) {
    case 'not-found':
    case 'unauthorized':
      return { title: texts.notFoundTitle, text: texts.notFoundText }
    case 'forbidden':
      return { title: texts.forbiddenTitle, text: texts.forbiddenText }
    case 'customer-banned':
      return { title: texts.forbiddenTitle, text: texts.banned }
    case 'too-many-requests':
      return { title: texts.tooManyTitle, text: retry ? texts.tooManyRetryingText : texts.tooManyText }
    case 'conflict':
      return { title: texts.conflictTitle, text: texts.conflictText }
    case 'bad-request':
    case 'validation-failed':
    case 'method-not-allowed':
    case 'payload-too-large':
      return { title: texts.invalidTitle, text: texts.invalidText }
    default:
      return { title: texts.unavailableTitle, text: retry ? texts.retryingText : texts.unavailableText }
  }
}
