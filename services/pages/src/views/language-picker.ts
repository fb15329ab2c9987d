import { html } from 'hono/html'
import type { SiteRequest } from '../http/site-request.ts'
import { languageNames } from '../texts/language.ts'
import type { Html } from './html.ts'

/** The form that changes the language of the pages. Nothing on a page that the browser cannot load again. */
export function languagePicker({ site, language, req }: SiteRequest): Html | '' {
  if (site === undefined || req.method !== 'GET') return ''
  const { texts, code } = language
  return html`<form class="languages screen" method="post" action="${site.path}/language">
<input type="hidden" name="back" value="${req.url ?? ''}">
<label for="language">${texts.language}</label>
<select id="language" name="language">${languageNames.map(([value, name]) => html`<option value="${value}" lang="${value}"${value === code ? html` selected` : ''}>${name}</option>`)}</select>
<button class="quiet" type="submit">${texts.changeLanguage}</button>
</form>`
}
