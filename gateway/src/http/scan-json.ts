import { errors, type ServiceFault } from '@storekeep/common/errors'

/**
 * Checks the text of a JSON body before it is parsed, and finds its long integers, in one pass. Whether the text is valid
 * JSON is left to the parser.
 *
 * - Rejects what makes the parser slow or overflow its stack: long numbers, objects with many keys, deep nesting.
 * - Rejects NUL and lone surrogates, which Postgres and protobuf cannot store. In valid UTF-8 only escape sequences can
 *   produce them.
 * - Rejects the key `__proto__`, which could change a prototype when it is copied.
 *
 * @returns the integers of 16 or more characters, which may not fit into a double
 * @throws ServiceFault `bad-request` that names the problem and its position
 */
export function scanJson(text: string): Span[] {
  const longIntegers: Span[] = []
  /** The number of keys so far in each object that is open; 0 for an array. */
  const keyCounts: number[] = []
  for (let start = 0; start < text.length; ) {
    const code = text.charCodeAt(start)
    let end = start + 1
    if (code === quote) {
      end = endOfString(text, start)
      if (isFollowedByColon(text, end)) addKey(keyCounts, text, { start, end })
    } else if (code === openBracket || code === openBrace) {
      if (keyCounts.push(0) > jsonLimits.depth) throw tooDeep()
    } else if (code === closeBracket || code === closeBrace) {
      keyCounts.pop()
    } else if (code === minus || isDigit(code)) {
      end = endOfNumber(text, start)
      if (isLongInteger(text, { start, end })) longIntegers.push({ start, end })
    }
    start = end
  }
  return longIntegers
}

/** Part of a text, from `start` to before `end`. */
export interface Span {
  start: number
  end: number
}

export const jsonLimits = {
  depth: 20,
  /** Characters of a number. More than any field can use: a decimal of 128 bits takes 42. */
  numberLength: 64,
  /** Keys of one object. No object of the interface has more than 60. */
  keys: 1000,
} as const

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) return index + 1
    index = code === backslash ? endOfEscape(text, index) : index + 1
  }
  return index
}

function endOfEscape(text: string, start: number): number {
  const unit = escapedUnit(text, start)
  if (unit === undefined) return start + 2
  if (unit === 0) throw rejected('a NUL character', start)
  const isHigh = unit >= 0xd800 && unit < 0xdc00
  const isLow = (code: number | undefined) => code !== undefined && code >= 0xdc00 && code < 0xe000
  if (isLow(unit) || (isHigh && !isLow(escapedUnit(text, start + 6)))) throw rejected('a lone surrogate', start)
  return start + (isHigh ? 12 : 6)
}

/** The code unit of the escape sequence `\uXXXX` at this index, if there is one. */
function escapedUnit(text: string, index: number): number | undefined {
  if (text.charCodeAt(index) !== backslash || text[index + 1] !== 'u') return undefined
  return Number.parseInt(text.slice(index + 2, index + 6), 16)
}

function isFollowedByColon(text: string, from: number): boolean {
  let index = from
  while (isSpace(text.charCodeAt(index))) index += 1
  return text.charCodeAt(index) === colon
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function addKey(keyCounts: number[], text: string, { start, end }: Span): void {
  const count = (keyCounts.pop() ?? 0) + 1
  keyCounts.push(count)
  if (count > jsonLimits.keys)
    throw errors.badRequest(`The body contains an object with more than ${jsonLimits.keys} keys.`)
  const first = text[start + 1]
  if ((first === '_' || first === '\\') && proto.test(text.slice(start, end))) {
    throw rejected('a field named "__proto__"', start)
  }
}

/** Escape sequences can spell the name too. */
const proto =
  /^"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"$/

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isInNumber(text.charCodeAt(end))) {
    end += 1
    if (end - start > jsonLimits.numberLength) {
      throw errors.badRequest(
        `The number at position ${start} of the body has more than ${jsonLimits.numberLength} characters.`,
      )
    }
  }
  return end
}

/** Excludes numbers with a leading zero and numbers in place of a key: neither is valid JSON. */
function isLongInteger(text: string, { start, end }: Span): boolean {
  return end - start >= 16 && /^-?[1-9][0-9]+$/.test(text.slice(start, end)) && !isFollowedByColon(text, end)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isInNumber(code: number): boolean {
  return isDigit(code) || code === point || code === minus || code === plus || code === smallE || code === largeE
}

function tooDeep(): ServiceFault {
  return errors.badRequest(`The body is nested more than ${jsonLimits.depth} levels deep.`)
}

function rejected(what: string, position: number): ServiceFault {
  return errors.badRequest(`The body contains ${what} at position ${position}.`)
}

const quote = 0x22
const plus = 0x2b
const minus = 0x2d
const point = 0x2e
const colon = 0x3a
const largeE = 0x45
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const smallE = 0x65
const openBrace = 0x7b
const closeBrace = 0x7d
