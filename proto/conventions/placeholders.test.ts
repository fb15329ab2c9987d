import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseTemplate,
  placeholderNames,
  type TemplatePart,
  unknownPlaceholders,
  variableIdentifiers,
} from './placeholders.ts'

describe('a command', () => {
  it.each([
    ['', []],
    ['say hi', [literal('say hi')]],
    ['ban {customer.steam.id}', [literal('ban '), placeholder('customer.steam.id')]],
    ['{buyer.name} {currency}', [placeholder('buyer.name'), literal(' '), placeholder('currency')]],
    ['{customer.name|a player}!', [placeholder('customer.name', 'a player'), literal('!')]],
    ['{customer.name|}', [placeholder('customer.name', '')]],
    ['{product.name|a|b}', [placeholder('product.name', 'a|b')]],
    ['{variables.nick-Name_1}', [placeholder('variables.nick-Name_1')]],
    ['{{customer.name}}', [literal('{customer.name}}')]],
    ['{{{customer.name}}}', [literal('{'), placeholder('customer.name'), literal('}}')]],
  ])('%s is split into literals and placeholders', (template, parts) => {
    expect(parseTemplate(template)).toEqual(parts)
  })

  it.each([
    'tellraw @a {"text":"Thanks","color":"gold"}',
    'give @p diamond_sword{Enchantments:[{id:sharpness,lvl:5}],display:{Name:\'{"text":"x"}\'}}',
    'say %player_name% {0} {} { } {player} {online:1} {customername} {currency_x} {currencies} {Customer.name}',
    'say {customer} {order} { customer.name} }{',
  ])('%s passes untouched', (template) => {
    expect(parseTemplate(template)).toEqual([literal(template)])
  })

  it('keeps the placeholders of plugins around its own', () => {
    expect(parseTemplate('give {player.source_from:{customer.steam.id}} kit')).toEqual([
      literal('give {player.source_from:'),
      placeholder('customer.steam.id'),
      literal('} kit'),
    ])
  })

  it.each([
    ['{customer.nmae}', 'customer.nmae', 'customer.name'],
    ['{customer.steam}', 'customer.steam', 'customer.steam.id'],
    ['{buyer.minecraft.uuids}', 'buyer.minecraft.uuids', 'buyer.minecraft.uuid'],
    ['{order.}', 'order.', 'order.id'],
    ['{item.Expires_At|never}', 'item.Expires_At', 'item.expires_at'],
    ['{variables.}', 'variables.', undefined],
    ['{variables.a b}', 'variables.a', 'variables.a'],
    ['{subscription.something_else}', 'subscription.something_else', undefined],
    ['{customer.name', 'customer.name', 'customer.name'],
    ['{customer.name|{buyer.name}}', 'customer.name', 'customer.name'],
    ['{currency|{x}}', 'currency', 'currency'],
    [`{customer.${'x'.repeat(100)}}`, `customer.${'x'.repeat(55)}`, undefined],
  ])('%s is unknown, with the nearest name as a hint', (template, name, hint) => {
    expect(unknownPlaceholders(parseTemplate(template))).toEqual([{ kind: 'unknown', name, hint }])
  })

  it('lists each unknown placeholder and each variable once', () => {
    const parts = parseTemplate('{order.x} {order.x} {variables.b} {variables.a|1} {variables.b}')
    expect(unknownPlaceholders(parts)).toHaveLength(1)
    expect(variableIdentifiers(parts)).toEqual(['b', 'a'])
  })
})

describe('every command', () => {
  const braceText = fc.string({ unit: fc.constantFrom('{', '}', '|', '.', 'customer', 'name', 'currency', ' ', '"') })

  it('is its own text after its braces are doubled', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), braceText), (text) => {
        expect(parseTemplate(text.replaceAll('{', '{{'))).toEqual(text === '' ? [] : [literal(text)])
      }),
    )
  })

  it('is parsed to the parts that it was written from', () => {
    const written = fc.array(
      fc.oneof(
        fc.string({ minLength: 1 }).map(literal),
        fc
          .tuple(
            fc.constantFrom(...placeholderNames, 'variables.nick' as const),
            fc.option(
              fc.string().map((text) => text.replace(/[{}]/g, '')),
              { nil: undefined },
            ),
          )
          .map(([name, fallback]) => placeholder(name, fallback)),
      ),
    )
    fc.assert(
      fc.property(written, (parts) => {
        expect(parseTemplate(parts.map(write).join(''))).toEqual(merged(parts))
      }),
    )
  })

  it('loses nothing but the parts that it names', () => {
    fc.assert(
      fc.property(braceText, (text) => {
        const parts = parseTemplate(text)
        if (parts.every((part) => part.kind === 'literal')) {
          expect(parts.map(({ text: part }) => part).join('')).toBe(text.replaceAll('{{', '{'))
        }
      }),
    )
  })
})

function literal(text: string): TemplatePart & { kind: 'literal' } {
  return { kind: 'literal', text }
}

function placeholder(
  name: (TemplatePart & { kind: 'placeholder' })['name'],
  fallback?: string,
): TemplatePart & { kind: 'placeholder' } {
  return { kind: 'placeholder', name, fallback }
}

function write(part: ReturnType<typeof literal> | ReturnType<typeof placeholder>): string {
  if (part.kind === 'literal') return part.text.replaceAll('{', '{{')
  return part.fallback === undefined ? `{${part.name}}` : `{${part.name}|${part.fallback}}`
}

/** Adjacent literals are one. */
function merged(parts: readonly (ReturnType<typeof literal> | ReturnType<typeof placeholder>)[]): TemplatePart[] {
  const all: TemplatePart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part.kind === 'literal' && last?.kind === 'literal') last.text += part.text
    else all.push({ ...part })
  }
  return all
}
