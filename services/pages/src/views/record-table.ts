import { html } from 'hono/html'
import type { Html } from './html.ts'

/**
 * A table of records, each with a page. The roles are explicit because browsers drop the implicit roles where the stylesheet changes
 * the display of rows.
 * @param headingId the heading that names the table
 */
export function recordTable(headingId: string, headings: readonly string[], rows: readonly RecordRow[]): Html {
  return html`<table class="orders" role="table" aria-labelledby="${headingId}">
<thead role="rowgroup"><tr role="row">${headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    ({ href, name, cells, amount }) => html`<tr role="row">
<th scope="row" role="rowheader"><a href="${href}">${name}</a></th>
${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
<td role="cell" class="amount">${amount}</td>
</tr>`,
  )}</tbody>
</table>`
}

interface RecordRow {
  href: string
  name: string
  cells: readonly string[]
  amount: string
}
