import type { Store } from '@storekeep/proto/stores/v1/store'
import type { Language } from '../texts/language.ts'
import type { Content } from './content.ts'
import { footerOf } from './footer.ts'

/** The email as plain text. */
export function renderText(content: Content, store: Store, language: Language): string {
  const { title, paragraphs, facts, lines, totals, notes, action, reason } = content
  const { details, links } = footerOf(store, language)
  const blocks = [
    [store.name],
    [title],
    ...paragraphs.map((text) => [text]),
    facts.map(({ label, value }) => `${label}: ${value}`),
    lines.flatMap((line) => [
      line.amount === undefined ? `- ${line.name}` : `- ${line.name}: ${line.amount}`,
      ...line.notes.map((note) => `  ${note}`),
    ]),
    totals.map(({ label, value }) => `${label}: ${value}`),
    ...notes.map((text) => [text]),
    action ? [`${action.label}:`, action.url, action.note] : [],
    ['--', ...details, ...links.map(({ label, url }) => `${label}: ${url}`), reason],
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}
