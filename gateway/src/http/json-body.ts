import { isUtf8 } from 'node:buffer'
import { errors } from '@storekeep/common/errors'
import { httpFaults } from '../errors/http-faults.ts'
import { type Span, scanJson } from './scan-json.ts'

/**
 * Parses a JSON body. Integers beyond 2^53 become a bigint with every digit of the text, instead of the nearest double.
 *
 * @throws ServiceFault `bad-request` that names the problem (see also `scanJson`)
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw errors.badRequest('The body is not valid UTF-8.')
  const text = bytes.toString('utf8', startsWithByteOrderMark(bytes) ? 3 : 0)
  const longIntegers = scanJson(text)
  if (longIntegers.length === 0) return parse(text)
  return restoreIntegers(parse(integersAsStrings(text, longIntegers)))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpFaults.invalidJson()
  }
}

/**
 * Turns the integers into strings that begin with NUL, which no string of a body does. `JSON.parse` can also pass the
 * digits to a reviver, but that multiplies the CPU time of the whole body by 20.
 */
function integersAsStrings(text: string, integers: readonly Span[]): string {
  const parts: string[] = []
  let copied = 0
  for (const { start, end } of integers) {
    parts.push(text.slice(copied, start), `"\\u0000${text.slice(start, end)}"`)
    copied = end
  }
  return parts.join('') + text.slice(copied)
}

/** Undoes `integersAsStrings` in place. */
function restoreIntegers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('\0') ? toInteger(value.slice(1)) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = restoreIntegers(value[index])
  } else {
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(value)) fields[name] = restoreIntegers(fields[name])
  }
  return value
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
