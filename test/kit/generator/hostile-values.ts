import fc from 'fast-check'
import { isHeaderText, type RequestDraft } from './request-draft.ts'

/** Values that often break programs: edge cases of types, encodings and the validation rules of the product. */
export function hostileValues(): fc.Arbitrary<unknown> {
  const numbers = [0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e21, 1e308, -1e308, 5e-324]
  const others: unknown[] = [
    null,
    true,
    false,
    {},
    [],
    [[]],
    [null],
    { $gt: '' },
    { toString: 1, length: -1 },
    Array(101).fill(0),
  ]
  return fc.oneof(hostileTexts(), fc.constantFrom<unknown>(...numbers, ...others), fc.jsonValue({ maxDepth: 3 }))
}

export function hostileTexts(): fc.Arbitrary<string> {
  const texts = [
    ...['', ' ', '0', '-1', '1e999', 'null', 'true', '[]', '{}', '\0', '\ud800', '\uffff', '\u202e', "'; --", '$1'],
    ...['%', '%00', '%zz', '_', '\\', '../..', '.', 'a/b', '<b>', 'ﷺ'.repeat(40), 'x'.repeat(3_000), '１２', '٣'],
    ...['01', '+1', '1.0', '9223372036854775807', '9223372036854775808', '76561197960265729', '1'.repeat(400)],
    ...['__proto__', 'constructor', '2026-02-30T00:00:00Z', '::ffff:192.0.2.1', '(a+)+$', '\r\nx: y', 'e\u0301'],
  ]
  return fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 30 }))
}

export function fieldNames(): fc.Arbitrary<string> {
  return fc.constantFrom(
    '',
    'id',
    'store_id',
    'created_at',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(2_000),
    'ä',
  )
}

export function parameterNames(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'limit',
    'after',
    'asc',
    'q',
    'limit[]',
    'a[b]',
    'a[b][c]',
    '__proto__',
    '',
    '[',
    'x'.repeat(500),
  )
}

export function headerNames(): fc.Arbitrary<string> {
  const all = ['idempotency-key', 'x-request-id', 'traceparent', 'tracestate', 'x-service-customer-ip', 'accept']
  return fc.constantFrom(
    ...all,
    'x-service-store-id',
    'x-forwarded-for',
    'accept-encoding',
    'origin',
    'content-encoding',
  )
}

export function headerTexts(): fc.Arbitrary<string> {
  return fc.oneof(
    hostileTexts().filter((text) => isHeaderText(text) && text.length < 1_000),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
  )
}

export function mediaTypes(): fc.Arbitrary<string | undefined> {
  const others = ['', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json+x', 'json']
  return fc.constantFrom(undefined, ...others, 'application/x-www-form-urlencoded', 'application/json; charset=utf-16')
}

export function rawBodies(): fc.Arbitrary<string | Buffer> {
  const texts = [
    '',
    ' ',
    '{',
    '{"name":',
    '[1,',
    '"',
    'nul',
    'NaN',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '{"a":1e999}',
  ]
  const more = ['{"name":"\\u0000"}', '{"name":"\\ud800"}', '{"__proto__":{}}', '\ufeff{}', '{"id":1,"id":2}', '// x']
  const bytes = [Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"name":"\xe9"}', 'latin1'), Buffer.alloc(64)]
  const large = `{"name":"${'x'.repeat(1_100_000)}"}`
  return fc.constantFrom<string | Buffer>(...texts, ...more, ...bytes, large, '['.repeat(5_000))
}

export function credentials(): fc.Arbitrary<RequestDraft['credential']> {
  return fc.constantFrom('none', 'garbage', 'of another store', 'of the other scheme')
}
