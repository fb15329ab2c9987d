import fc from 'fast-check'
import { isHeaderText, type RequestDraft } from './request-draft.ts'

/** One way to break a request, each a function of the request before. */
export const breaks: fc.Arbitrary<Break> = fc.oneof<fc.WeightedArbitrary<Break>[]>(
  { weight: 6, arbitrary: fc.tuple(fc.nat(), hostileValues()).map(([where, value]) => replaceInBody(where, value)) },
  { weight: 3, arbitrary: fc.nat().map(removeFromBody) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), memberNames(), hostileValues()).map((parts) => addToBody(...parts)) },
  { weight: 1, arbitrary: hostileValues().map((json) => (draft) => ({ ...draft, json })) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }).map(nestBody) },
  { weight: 2, arbitrary: rawBodies().map((raw) => (draft) => ({ ...draft, raw })) },
  { weight: 1, arbitrary: mediaTypes().map((type) => setHeader('content-type', type)) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(), hostileTexts()).map(([where, text]) => replaceInPath(where, text)) },
  { weight: 2, arbitrary: fc.tuple(parameterNames(), hostileTexts()).map(([name, text]) => addToQuery(name, text)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), hostileTexts()).map(([where, text]) => changeQuery(where, text)) },
  { weight: 2, arbitrary: fc.tuple(headerNames(), headerTexts()).map(([name, text]) => setHeader(name, text)) },
  { weight: 1, arbitrary: credentials().map((credential) => (draft) => ({ ...draft, credential })) },
)

/** Values that break programs: edges of types, of encodings and of our own rules. */
function hostileValues(): fc.Arbitrary<unknown> {
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

function hostileTexts(): fc.Arbitrary<string> {
  const texts = [
    ...['', ' ', '0', '-1', '1e999', 'null', 'true', '[]', '{}', '\0', '\ud800', '\uffff', '\u202e', "'; --", '$1'],
    ...['%', '%00', '%zz', '_', '\\', '../..', '.', 'a/b', '<b>', 'ﷺ'.repeat(40), 'x'.repeat(3_000), '１２', '٣'],
    ...['01', '+1', '1.0', '9223372036854775807', '9223372036854775808', '76561197960265729', '1'.repeat(400)],
    ...['__proto__', 'constructor', '2026-02-30T00:00:00Z', '::ffff:192.0.2.1', '(a+)+$', '\r\nx: y', 'e\u0301'],
  ]
  return fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 30 }))
}

function memberNames(): fc.Arbitrary<string> {
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

function parameterNames(): fc.Arbitrary<string> {
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

function headerNames(): fc.Arbitrary<string> {
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

function headerTexts(): fc.Arbitrary<string> {
  return fc.oneof(
    hostileTexts().filter((text) => isHeaderText(text) && text.length < 1_000),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
  )
}

function mediaTypes(): fc.Arbitrary<string | undefined> {
  const others = ['', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json+x', 'json']
  return fc.constantFrom(undefined, ...others, 'application/x-www-form-urlencoded', 'application/json; charset=utf-16')
}

function rawBodies(): fc.Arbitrary<string | Buffer> {
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

function credentials(): fc.Arbitrary<RequestDraft['credential']> {
  return fc.constantFrom('none', 'garbage', 'of another store', 'of the other scheme')
}

function replaceInBody(where: number, value: unknown): Break {
  return changeBody((json) => {
    const places = placesIn(json)
    const place = places[where % Math.max(1, places.length)]
    if (place) place.holder[place.key] = value
  })
}

function removeFromBody(where: number): Break {
  return changeBody((json) => {
    const places = placesIn(json)
    const place = places[where % Math.max(1, places.length)]
    if (place) delete place.holder[place.key]
  })
}

function addToBody(where: number, name: string, value: unknown): Break {
  return changeBody((json) => {
    const holders = [...new Set([json, ...placesIn(json).map(({ holder }) => holder)])]
    const holder = holders[where % holders.length]
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return
    // An own member also when it is called "__proto__".
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  })
}

function changeBody(change: (json: unknown) => void): Break {
  return (draft) => {
    const json = structuredClone(draft.json ?? {})
    change(json)
    return { ...draft, json }
  }
}

function nestBody(depth: number): Break {
  return (draft) => {
    let json = draft.json
    for (let level = 0; level < depth; level += 1) json = level % 2 === 0 ? [json] : { a: json }
    return { ...draft, json }
  }
}

function replaceInPath(where: number, text: string): Break {
  return (draft) => {
    const names = Object.keys(draft.path)
    const name = names[where % Math.max(1, names.length)]
    return name === undefined ? draft : { ...draft, path: { ...draft.path, [name]: text } }
  }
}

function addToQuery(name: string, text: string): Break {
  return (draft) => ({ ...draft, query: [...draft.query, [name, text]] })
}

/** A parameter that is there gets a hostile value, or comes twice. */
function changeQuery(where: number, text: string): Break {
  return (draft) => {
    const index = where % Math.max(1, draft.query.length)
    const pair = draft.query[index]
    if (!pair) return addToQuery('limit', text)(draft)
    const changed: [string, string] = [pair[0], text]
    return { ...draft, query: where % 3 === 0 ? [...draft.query, changed] : draft.query.with(index, changed) }
  }
}

function setHeader(name: string, text: string | undefined): Break {
  return (draft) => ({ ...draft, headers: { ...draft.headers, [name]: text } })
}

/** Every member and item anywhere in a value. */
function placesIn(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

type Break = (draft: RequestDraft) => RequestDraft
