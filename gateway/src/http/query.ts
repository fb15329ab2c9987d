import { errors, type Violation, violation } from '@storekeep/common/errors'
import { nearest } from '@storekeep/proto/conventions/nearest'

/** The syntax of a query parameter. */
export type ParameterForm = 'one' | 'repeated' | 'map'

/**
 * Parses the query string of an endpoint with these parameters. Strict, because silently ignoring a misspelled
 * filter would return the wrong rows.
 *
 * - `one`: at most once, a string. `repeated`: `id=1&id=2`, an array. `map` (OpenAPI's deepObject): `hints[code]=a`,
 *   an object of strings, one level deep, at most 20 keys.
 * - An empty value (`after=`) counts as absent.
 *
 * @throws ServiceFault `bad-request` for a query that cannot be decoded, `validation-failed` naming each wrong parameter
 */
export function parseQuery(query: string, known: ReadonlyMap<string, ParameterForm>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const violations: Violation[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [name, value] = decodePair(pair)
    const wrong = addParameter(values, name, value, known)
    if (wrong) violations.push(wrong)
    if (violations.length >= maxViolations) break
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return values
}

const maxMapKeys = 20
const maxViolations = 20

function addParameter(
  values: Record<string, unknown>,
  name: string,
  value: string,
  known: ReadonlyMap<string, ParameterForm>,
): Violation | undefined {
  const bracket = name.indexOf('[')
  const base = bracket < 0 ? name : name.slice(0, bracket)
  const form = known.get(base)
  if (form === undefined || (form !== 'map' && bracket >= 0)) return unknownParameter(name, known)
  if (value === '') return undefined
  switch (form) {
    case 'map':
      return addToMap(values, base, name, value)
    case 'repeated': {
      const list = values[base] as string[] | undefined
      if (list) list.push(value)
      else values[base] = [value]
      return undefined
    }
    case 'one':
      if (Object.hasOwn(values, base)) return violation(base, 'type', 'must be given only once')
      values[base] = value
      return undefined
  }
}

function addToMap(values: Record<string, unknown>, base: string, name: string, value: string): Violation | undefined {
  const key = mapKey.exec(name)?.[1]
  if (key === undefined || key === '__proto__') {
    return violation(name, 'format', `must be written ${base}[name]=value`)
  }
  const map = (values[base] as Record<string, string> | undefined) ?? {}
  if (Object.hasOwn(map, key)) return violation(name, 'type', 'must be given only once')
  if (Object.keys(map).length >= maxMapKeys) {
    return violation(base, 'max', `must have at most ${maxMapKeys} keys`)
  }
  values[base] = { ...map, [key]: value }
  return undefined
}

const mapKey = /^[^[\]]+\[([^[\]]+)\]$/

function unknownParameter(name: string, known: ReadonlyMap<string, ParameterForm>): Violation {
  const closest = nearest(name, [...known.keys()])
  const hint = closest === undefined ? 'see /docs for its parameters' : `did you mean "${closest}"?`
  return violation(name, 'enum', `is not a query parameter of this endpoint; ${hint}`, 'unknown-parameter')
}

function decodePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  const name = equals < 0 ? pair : pair.slice(0, equals)
  const value = equals < 0 ? '' : pair.slice(equals + 1)
  return [decode(name), decode(value)]
}

function decode(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw errors.badRequest('The query string contains an invalid percent-encoding.')
  }
  if (decoded.includes('\0')) throw errors.badRequest('The query string contains a NUL character.')
  return decoded
}
