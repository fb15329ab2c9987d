import { isUtf8 } from 'node:buffer'
import { errors } from '@storekeep/common/errors'
import { httpFaults } from '../errors/http-faults.ts'

/**
 * Parses a JSON body.
 *
 * - Integers beyond 2^53 become a bigint with every digit of the text, instead of the nearest double.
 * - Rejects nesting deeper than 20, NUL and lone surrogates, which Postgres and protobuf cannot store.
 * - Rejects a key named `__proto__`, which could change a prototype when it is copied.
 *
 * @throws ServiceFault `bad-request` that names the problem
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw errors.badRequest('The body is not valid UTF-8.')
  const text = bytes.toString('utf8', startsWithByteOrderMark(bytes) ? 3 : 0)
  checkDepth(text)
  const value = parse(text)
  return text.includes('\\u') || text.includes('__proto__') ? clean(value) : value
}

const maxDepth = 20
/** Roughly: a number of 16 or more characters outside a string. Only such bodies need the slower reviver. */
const longNumber = /[:[,]\s*-?\d[\d.eE+-]{14}/

function parse(text: string): unknown {
  try {
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    throw httpFaults.invalidJson()
  }
}

/** JSON.parse passes the source text of each number to its reviver (Node 21 and later). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
}

/** Scans the text, because parsing a deeply nested body can overflow the stack. */
function checkDepth(text: string): void {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = endOfString(text, index)
        break
      case 0x5b:
      case 0x7b:
        depth += 1
        if (depth > maxDepth) throw errors.badRequest(`The body is nested more than ${maxDepth} levels deep.`)
        break
      case 0x5d:
      case 0x7d:
        depth -= 1
        break
    }
  }
}

/** Index of the quote that closes the string at `start`; the end of the text if it is not closed. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === 0x22) return index
    if (character === 0x5c) index += 1
  }
  return text.length
}

/** Only escape sequences can produce what is rejected here, so most bodies skip this step. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return checkText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [checkName(name), clean(field)]))
}

function checkName(name: string): string {
  if (name === '__proto__') throw errors.badRequest('The body contains a field named "__proto__".')
  return checkText(name)
}

function checkText(text: string): string {
  if (text.includes('\0')) throw errors.badRequest('The body contains a NUL character.')
  if (!text.isWellFormed()) throw errors.badRequest('The body contains a lone surrogate.')
  return text
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
