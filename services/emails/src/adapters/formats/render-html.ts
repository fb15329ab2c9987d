import type { Store } from '@storekeep/proto/stores/v1/store'
import { html } from 'hono/html'
import type { Language } from '../texts/language.ts'
import type { Content } from './content.ts'
import { footerOf } from './footer.ts'

/**
 * The email as HTML. Every value is escaped. Styles are inline and the layout is a table, which every mail program shows the same way;
 * nothing is loaded but the logo, from the pages of this installation.
 */
export async function renderHtml(content: Content, { store, logoUrl }: Branding, language: Language): Promise<string> {
  const { title, paragraphs, facts, lines, totals, notes, action, reason } = content
  const { details, links } = footerOf(store, language)
  const accent = store.accentColor ?? defaultAccent
  const document = html`<!doctype html>
<html lang="${language.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.subject}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px;${font}">
<tr><td style="padding:24px 32px 0;border-top:4px solid ${accent};border-radius:8px 8px 0 0">${
    logoUrl === undefined
      ? html`<p style="margin:0;font-size:18px;font-weight:bold">${store.name}</p>`
      : html`<img src="${logoUrl}" alt="${store.name}" height="48" style="display:block;height:48px;width:auto;max-width:100%;border:0;font-size:18px;font-weight:bold">`
  }</td></tr>
<tr><td style="padding:24px 32px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${title}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
${
  facts.length === 0
    ? ''
    : html`<table cellpadding="0" cellspacing="0" style="margin:0 0 16px;${font}">${facts.map(({ label, value }) => html`<tr><th align="left" scope="row" style="padding:2px 16px 2px 0;font-weight:normal;color:${muted};vertical-align:top">${label}</th><td style="padding:2px 0">${value}</td></tr>`)}</table>`
}
${
  lines.length === 0
    ? ''
    : html`<table width="100%" cellpadding="0" cellspacing="0" style="border-top:1px solid ${border};${font}">${lines.map((line) => html`<tr><td style="padding:10px 16px 10px 0;border-bottom:1px solid ${border}">${line.name}${line.notes.map((note) => html`<br><span style="font-size:14px;color:${muted}">${note}</span>`)}</td><td align="right" style="padding:10px 0;border-bottom:1px solid ${border};white-space:nowrap;vertical-align:top">${line.amount ?? ''}</td></tr>`)}</table>`
}
${
  totals.length === 0
    ? ''
    : html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 16px;${font}">${totals.map(({ label, value, isSum }) => html`<tr><th align="left" scope="row" style="padding:4px 16px 4px 0;${isSum ? sumStyle : rowStyle}">${label}</th><td align="right" style="padding:4px 0;white-space:nowrap;${isSum ? sumStyle : rowStyle}">${value}</td></tr>`)}</table>`
}
${notes.map((text) => html`<p style="margin:16px 0">${text}</p>`)}
${
  action === undefined
    ? ''
    : html`<p style="margin:24px 0 8px"><a href="${action.url}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${accent};color:${textOn(accent)};text-decoration:none;font-weight:bold">${action.label}</a></p>
<p style="margin:0;font-size:14px;color:${muted}">${action.note}</p>`
}
</td></tr>
<tr><td style="padding:16px 32px 24px;border-top:1px solid ${border};font-size:13px;line-height:1.5;color:${muted}">
${details.map((line) => html`${line}<br>`)}
${links.map(({ label, url }) => html`<a href="${url}" style="color:${muted}">${label}</a> &nbsp; `)}
<p style="margin:12px 0 0">${reason}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  return (await document).toString()
}

export interface Branding {
  store: Store
  /** The address of the logo on the pages of this installation. */
  logoUrl: string | undefined
}

/** Black or white, whichever has more contrast (WCAG 2.2, 1.4.3). @param color such as "#2457d6" */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  // Where the contrast with black and with white is the same.
  return luminance > 0.179 ? '#000000' : '#ffffff'
}

const font =
  'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1c2028'
const muted = '#5b6270'
const border = '#e2e5eb'
const rowStyle = 'font-weight:normal'
const sumStyle = 'font-weight:bold;font-size:18px'
/** As on the pages. */
const defaultAccent = '#2457d6'
