import { isUtf8 } from 'node:buffer'
import { errors } from '@storekeep/common/errors'

/**
 * Parses the bytes of a JSON body.
 *
 * - Whole numbers beyond 2^53 become a bigint with every digit of the text, instead of the nearest double.
 * - Nesting deeper than 20, NUL and lone surrogates are refused: no part of ours can store them.
 * - A member named `__proto__` is refused: copying it somewhere could change a prototype.
 *
 * @throws ServiceFault `bad-request` saying what is wrong
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw errors.badRequest('The body is not valid UTF-8.')
  const text = bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0)
  checkDepth(text)
  const value = parse(text)
  return text.includes('\\u') || text.includes('__proto__') ? clean(value) : value
}

const maxDepth = 20
/** A number of 16 characters or more outside a string, as far as a look at the text can tell. */
const longNumber = /[:[,]\s*-?\d[\d.eE+-]{14}/

function parse(text: string): unknown {
  try {
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    throw errors.badRequest('The body is not valid JSON.')
  }
}

/** JSON.parse hands the source text of each number to its reviver (Node 21 and later). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
}

/** Looks at the text, because parsing a deep body first would already cost its stack. */
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
        if (depth > maxDepth) throw errors.badRequest(`The body is nested deeper than ${maxDepth} levels.`)
        break
      case 0x5d:
      case 0x7d:
        depth -= 1
        break
    }
  }
}

/** Index of the quote that ends the string begun at `start`; the text's end when none does. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === 0x22) return index
    if (character === 0x5c) index += 1
  }
  return text.length
}

/** Raw text can hold none of what is refused here, only escapes can; so most bodies never come here. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return checkText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [checkName(name), clean(member)]))
}

function checkName(name: string): string {
  if (name === '__proto__') throw errors.badRequest('The body holds a member named "__proto__".')
  return checkText(name)
}

function checkText(text: string): string {
  if (text.includes('\0')) throw errors.badRequest('The body holds a NUL character.')
  if (!text.isWellFormed()) throw errors.badRequest('The body holds half of a surrogate pair.')
  return text
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
