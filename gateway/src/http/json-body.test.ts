import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

describe('a JSON body', () => {
  it('parses like JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 8 }).filter((text) => !/__proto__|\\u0000|\d{15}/.test(text)),
        (text) => {
          expect(parse(text)).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  it('fails only with a 400', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, quoted) => {
        const raw = quoted ? Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}')]) : Buffer.from(bytes)
        try {
          parseJsonBody(raw)
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-request' })
        }
      }),
    )
  })

  it('keeps every digit of an integer of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), (value) => {
        const { a, b } = parse(`{"a":${value},"b":[${value}, ${value}]}`) as { a: unknown; b: unknown[] }
        for (const one of [a, ...b]) expect(String(one)).toBe(String(value))
        expect(typeof a).toBe(Number.isSafeInteger(Number(value)) ? 'number' : 'bigint')
      }),
    )
  })

  it.each([
    '[01234567890123456789]',
    '{1234567890123456789:1}',
    '{1234567890123456789 :1}',
    '[1234567890123456789"a"]',
    '[-]',
    '["a]',
    '["\\',
  ])('stays invalid: %s', (text) => {
    expect(() => parse(text)).toThrow('not valid JSON')
  })

  it.each([
    [`{"a":${'1'.repeat(65)}}`, 'The number at position 5 of the body has more than 64 characters.'],
    [`[0,-0.${'1'.repeat(250_000)}e5]`, 'The number at position 3 of the body has more than 64 characters.'],
    [`{${Array.from({ length: 1001 }, (_, n) => `"${n}":1`).join()}}`, 'an object with more than 1000 keys'],
    ['{"a":"\\\\","b":"\\u0000"}', 'The body contains a NUL character at position 15.'],
    ['["\\ud83ea"]', 'The body contains a lone surrogate at position 2.'],
    ['["\\udd8a\\ud83e"]', 'The body contains a lone surrogate at position 2.'],
    ['[{"_\\u005f\\u0070roto__" :1}]', 'The body contains a field named "__proto__" at position 2.'],
  ])('is rejected with the reason and its position', (text, message) => {
    expect(() => parse(text)).toThrow(message)
  })

  it('may have numbers of 64 characters, 1000 keys in an object, and escaped characters of any kind', () => {
    const number = `0.${'1'.repeat(62)}`
    const entries = Array.from({ length: 1000 }, (_, n) => [`k${n}`, '__proto__'])
    const body = { a: Number(number), ...Object.fromEntries(entries.slice(1)) }
    const text = JSON.stringify(body).replace(/"a":[^,]*/, `"a":${number}`)
    expect(parse(text)).toEqual(body)
    expect(parse('["\\ud83e\\udd8a\\u0061\\\\u0000", {"__PROTO__":1}]')).toEqual(['🦊a\\u0000', { __PROTO__: 1 }])
  })

  it('leaves other numbers and digits in strings unchanged', () => {
    expect(parse('{"a":1.5e3,"b":1e300,"c":"76561197960287930","d":":[76561197960287930"}')).toEqual({
      a: 1500,
      b: 1e300,
      c: '76561197960287930',
      d: ':[76561197960287930',
    })
  })
})
