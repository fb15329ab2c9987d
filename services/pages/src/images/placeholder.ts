import { html } from 'hono/html'

/** What the page shows in place of an image: one or two initials of its name on a color. */
export interface Placeholder {
  initials: string
  /** Index of `placeholderColors`. */
  color: number
}

/** The placeholder of a name, always the same. */
export function placeholderOf(name: string): Placeholder {
  return { initials: initialsOf(name), color: colorOf(name) }
}

/** Draws a placeholder that fills its box. Presentation attributes, because no policy of ours allows inline styles. */
export function drawPlaceholder({ initials, color }: Placeholder, fontSize: number) {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" aria-hidden="true" focusable="false"><rect width="100%" height="100%" fill="${placeholderColors[color] ?? ''}"/><text x="50%" y="50%" fill="#fff" font-family="system-ui, sans-serif" font-size="${fontSize}" font-weight="600" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
}

/** As part of an address: "3SP". */
export function formatPlaceholder({ initials, color }: Placeholder): string {
  return `${color}${initials}`
}

/** @returns undefined unless `formatPlaceholder` can have written the text */
export function parsePlaceholder(text: string): Placeholder | undefined {
  const [, color, initials = ''] = /^([0-7])((?:[\p{L}\p{N}]\p{M}{0,4}){0,4})$/u.exec(text) ?? []
  return color === undefined ? undefined : { color: Number(color), initials }
}

/** The first letters or digits of the first two words: "SP" for "Starter pack". */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  const initials = words.slice(0, 2).map((word) => /^.\p{M}{0,4}/u.exec(word)?.[0] ?? '')
  return initials.join('').toUpperCase()
}

function colorOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % placeholderColors.length
}

/** White text is readable on each, in the light and the dark scheme. */
export const placeholderColors = [
  '#2f5d9b',
  '#3a6b4c',
  '#8a4b2f',
  '#6a4a9c',
  '#9a3b5a',
  '#2d6a75',
  '#74602a',
  '#525f73',
] as const
