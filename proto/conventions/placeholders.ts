import { nearest } from './nearest.ts'

/**
 * The grammar of commands with placeholders (contract "Delivery", placeholders): `{customer.name}`, `{customer.name|default}`,
 * `{{` for a literal brace. Checkout and delivery reject unknown placeholders with it when a command is saved, and delivery
 * renders commands with it, so that it understands every saved command. All other text stays unchanged, because Minecraft
 * commands are full of braces and plugins expand their own placeholders.
 */

/** Every placeholder except `{variables.…}`. */
export const placeholderNames = [
  ...identities('customer'),
  ...identities('buyer'),
  'product.id',
  'product.name',
  'product.slug',
  'order.id',
  'order.number',
  'line.quantity',
  'line.price',
  'currency',
  'subscription.id',
  'item.id',
  'item.expires_at',
  'gameserver.id',
  'gameserver.name',
] as const

export type PlaceholderName = (typeof placeholderNames)[number] | `variables.${string}`

export type TemplatePart =
  | { kind: 'literal'; text: string }
  /** `fallback` replaces a missing value; it may be empty. */
  | { kind: 'placeholder'; name: PlaceholderName; fallback: string | undefined }
  | UnknownPlaceholder

/** A placeholder with a known first segment that does not exist or is not closed. */
export interface UnknownPlaceholder {
  kind: 'unknown'
  /** Without braces and fallback: `customer.nmae`. Cut to 64 characters. */
  name: string
  /** The name that the author may have meant. */
  hint: string | undefined
}

/** Splits a command into its literals and placeholders, in order. Never throws: the result names what is unknown. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let literal = ''
  let from = 0
  for (const match of template.matchAll(braces)) {
    literal += template.slice(from, match.index)
    from = match.index + match[0].length
    if (match[0] === '{{') {
      literal += '{'
      continue
    }
    if (literal !== '') parts.push({ kind: 'literal', text: literal })
    literal = ''
    parts.push(placeholder(match.groups ?? {}))
  }
  literal += template.slice(from)
  if (literal !== '') parts.push({ kind: 'literal', text: literal })
  return parts
}

/** The placeholders of a command that do not exist, each once. */
export function unknownPlaceholders(parts: readonly TemplatePart[]): UnknownPlaceholder[] {
  const unknown = parts.filter((part) => part.kind === 'unknown')
  return [...new Map(unknown.map((part) => [part.name, part])).values()]
}

/** The identifiers of the variables that a command uses, each once: `nick` of `{variables.nick}`. */
export function variableIdentifiers(parts: readonly TemplatePart[]): string[] {
  const names = parts.flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []))
  return [...new Set(names.filter((name) => name.startsWith(variables)).map((name) => name.slice(variables.length)))]
}

function placeholder(groups: Record<string, string | undefined>): TemplatePart {
  const { name = '', fallback, end } = groups
  if (end === '}' && isPlaceholderName(name)) return { kind: 'placeholder', name, fallback }
  const cut = name.slice(0, 64)
  const hint = isPlaceholderName(name) ? name : nearest(cut, [...placeholderNames, `${variables}identifier`])
  return { kind: 'unknown', name: cut, hint }
}

function isPlaceholderName(name: string): name is PlaceholderName {
  return knownNames.has(name) || /^variables\.[A-Za-z0-9_-]{1,64}$/.test(name)
}

/** The placeholders about a customer. */
function identities<Role extends 'customer' | 'buyer'>(role: Role) {
  return [
    `${role}.id`,
    `${role}.name`,
    `${role}.steam.id`,
    `${role}.steam.name`,
    `${role}.minecraft.id`,
    `${role}.minecraft.uuid`,
    `${role}.minecraft.name`,
    `${role}.xbox.xuid`,
  ] as const
}

const variables = 'variables.'
const knownNames: ReadonlySet<string> = new Set(placeholderNames)

/** A literal brace, or a placeholder by its first segment. Without `end`, it is not closed or has braces in its fallback. */
const braces =
  /\{\{|\{(?<name>(?:(?:customer|buyer|product|order|line|subscription|item|gameserver|variables)\.|currency(?=[|}]))[^{}|\s]*)(?:\|(?<fallback>[^{}]*))?(?<end>\}?)/g
