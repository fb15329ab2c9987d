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

  it('keeps every digit of an integer, however long', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), (value) => {
        const { a, b } = parse(`{"a":${value},"b":[${value}, ${value}]}`) as { a: unknown; b: unknown[] }
        for (const one of [a, ...b]) expect(String(one)).toBe(String(value))
        expect(typeof a).toBe(Number.isSafeInteger(Number(value)) ? 'number' : 'bigint')
      }),
    )
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
