import { BlockList } from 'node:net'
import { peerAddress } from '@storekeep/common/http'
import { describe, expect, it } from 'vitest'
import { readCredential } from '../auth/credential.ts'
import { endpoints } from '../routes/index.ts'
import { parse } from '../schemas/parse.ts'
import type { Endpoint } from './endpoint.ts'
import { parseJsonBody } from './json-body.ts'
import { checkMediaType } from './media-type.ts'
import { parseQuery } from './query.ts'
import { queryForms } from './query-forms.ts'

/**
 * Hostile input must not cost much more CPU time than plain input of the same size. Both are measured in the same run,
 * so that the result does not depend on the speed of the machine.
 */
const maxRatio = 12

const signIn = endpointOf('signInCustomer')
const product = endpointOf('createProduct')
const checkout = endpointOf('createCheckoutSession')
const customers = endpointOf('listCustomers')

const bodyBytes = 100_000
const bodies: [string, Endpoint, string][] = [
  ['a long number', signIn, `{"a":${'1'.repeat(bodyBytes)}}`],
  ['a long fraction', signIn, `{"a":-0.${'1'.repeat(bodyBytes)}}`],
  ['a long exponent', signIn, `{"a":1e${'0'.repeat(bodyBytes)}1}`],
  ['a long Steam id', endpointOf('createCustomer'), `{"steam_id":${'7'.repeat(bodyBytes)}}`],
  ['numbers of 60 digits', signIn, list('1'.repeat(60))],
  ['long integers', signIn, list('12345678901234567')],
  ['one long integer among short ones', signIn, `[12345678901234567,${list('1').slice(1)}`],
  ['one long integer among empty lists', signIn, `[12345678901234567,${list('[]').slice(1)}`],
  ['one escape sequence among small objects', signIn, `["\\u0041",${list('{"a":1}').slice(1)}`],
  ['many keys', product, keys((n) => `"k${n}":1`)],
  ['many keys with an escape sequence', product, keys((n) => `"\\u0061${n}":1`)],
  ['the same key', product, `{${'"a":1,'.repeat(bodyBytes / 6)}"a":1}`],
  ['keys that look like __proto__', signIn, `{${'"_\\u005fproto_":1,'.repeat(bodyBytes / 18)}"a":1}`],
  ['a list in place of an object', product, list('0')],
  ['null in a list', signIn, list('null')],
  ['empty lists', signIn, list('[]')],
  ['nested lists', signIn, list('['.repeat(18) + ']'.repeat(18))],
  ['deep nesting', signIn, '['.repeat(bodyBytes)],
  ['quotes', signIn, '"'.repeat(bodyBytes)],
  ['spaces after a string', signIn, `[${`"a"${' '.repeat(1000)},`.repeat(bodyBytes / 1004)}1]`],
  ['a long string', signIn, `{"id":"${'a'.repeat(bodyBytes)}"}`],
  ['escape sequences', signIn, `{"id":"${'\\u0041'.repeat(bodyBytes / 6)}"}`],
  ['escaped surrogate pairs', signIn, `{"id":"${'\\ud83e\\udd8a'.repeat(bodyBytes / 12)}"}`],
  ['backslashes', signIn, `{"id":"${'\\\\'.repeat(bodyBytes / 2)}"}`],
  ['a metadata map with many keys', product, `{"name":"a","price":1,"metadata":${keys((n) => `"k${n}":1`)}}`],
  ['answers with many keys', checkout, `{"lines":[{"custom_variables":${keys((n) => `"k${n}":1`)}}]}`],
  ['many lines', checkout, `{"lines":${list('{}')}}`],
  ['many tags', product, `{"name":"a","price":1,"tags":${list('"x"')}}`],
]

const headerBytes = 16_000
const trusted = new BlockList()
trusted.addSubnet('10.0.0.0', 8)
trusted.addSubnet('fd00::', 8, 'ipv6')
const readQuery = (query: string) =>
  customers.query && parse(customers.query, parseQuery(query, queryForms(customers.query)))
const headers: [string, string, (text: string) => unknown][] = [
  ['trusted hops', '10.0.0.1,', (text) => peerAddress('10.0.0.1', text, trusted)],
  ['trusted IPv6 hops', 'fd00::1,', (text) => peerAddress('10.0.0.1', `${text}fd00::1`, trusted)],
  ['credentials', 'a ', (text) => readCredential(text, 'Customer')],
  ['parameters of a media type', ';charset=utf-8', (text) => checkMediaType(`application/json${text}`, undefined)],
  ['a repeated parameter', 'customer_id=1&', readQuery],
  ['invalid ids', 'customer_id=x&', readQuery],
  ['unknown parameters', 'custmer_i=1&', readQuery],
  ['separators', '&', readQuery],
  ['percent escapes', '%F0%9F%A6%8A', (text) => readQuery(`search=${text}`)],
]

describe('hostile input costs no more than a few times the CPU time of plain input:', () => {
  it.each(bodies)('a body of %s', (_, endpoint, text) => {
    const raw = Buffer.from(text)
    expect(ratio(() => readBody(endpoint, raw), raw.length)).toBeLessThan(maxRatio)
  })

  it.each(headers)('a header or query of %s', (_, part, read) => {
    const text = part.repeat(headerBytes / part.length)
    expect(ratio(() => read(text), text.length)).toBeLessThan(maxRatio)
  })
})

it.each([
  ['a reviver reads the digits of long integers', bodies[6]?.[2] ?? '', withReviver],
  ['a list is copied for each of its values', 'customer_id=1&'.repeat(5000), copyForEach],
])('negative control: the bound is exceeded when %s', (_, text, read) => {
  expect(ratio(() => read(text), text.length)).toBeGreaterThan(maxRatio)
})

function withReviver(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? BigInt(context?.source ?? 0) : value,
  )
}

function copyForEach(text: string): readonly string[] {
  let values: readonly string[] = []
  for (const value of text.split('&')) values = [...values, value]
  return values
}

function readBody({ body }: Endpoint, raw: Buffer): unknown {
  const value = parseJsonBody(raw)
  return body && parse(body, value)
}

/** CPU time of the call relative to parsing a plain body of the same size; the minimum of several measurements. */
function ratio(run: () => unknown, bytes: number): number {
  const measured = Array.from(
    { length: 3 },
    () => cpuMs(run) / bytes / (cpuMs(() => parseJsonBody(plain)) / plain.length),
  )
  return Math.min(...measured)
}

const plain = Buffer.from(list('{"name":"Robin","metadata":{"rank":"vip"}}'))

/** CPU time of this thread for one call; an exception counts as a result. */
function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage()
  for (let calls = 1; ; calls += 1) {
    try {
      run()
    } catch {}
    const { user, system } = process.threadCpuUsage(before)
    // The system counts CPU time in steps of a few milliseconds.
    if (user + system > 8000) return (user + system) / 1000 / calls
  }
}

function endpointOf(operationId: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.operationId === operationId)
  if (!found) throw new Error(`no endpoint ${operationId}`)
  return found
}

/** A list of `item` with `bodyBytes` bytes. */
function list(item: string): string {
  return `[${Array(Math.ceil(bodyBytes / (item.length + 1)))
    .fill(item)
    .join()}]`
}

function keys(field: (index: number) => string): string {
  return `{${Array.from({ length: bodyBytes / 10 }, (_, index) => field(index)).join()}}`
}
