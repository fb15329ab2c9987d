import { errors, type Violation, violation } from '@storekeep/common/errors'
import { nearest } from './nearest.ts'

/** How often and in which form a query parameter may be given. */
export type ParameterForm = 'one' | 'repeated' | 'map'

/**
 * Parses the query of a URL for an endpoint that knows these parameters. Strict, so that a filter that is misspelt, or
 * given twice, is an error instead of other rows than were asked for.
 *
 * - `one`: at most once, a string. `repeated`: `id=1&id=2`, an array. `map`: `hints[code]=a`, an object of strings,
 *   one level deep, at most 20 members.
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

const maxMapMembers = 20
const maxViolations = 20

function addParameter(
  values: Record<string, unknown>,
  name: string,
  value: string,
  known: ReadonlyMap<string, ParameterForm>,
): Violation | undefined {
  const bracket = name.indexOf('[')
  const base = bracket < 0 ? name : name.slice(0, bracket)
  switch (known.get(base)) {
    case undefined:
      return unknownParameter(name, known)
    case 'map':
      return addToMap(values, base, name, value)
    case 'repeated':
      if (bracket >= 0) return unknownParameter(name, known)
      values[base] = [...((values[base] as string[] | undefined) ?? []), value]
      return undefined
    case 'one':
      if (bracket >= 0) return unknownParameter(name, known)
      if (Object.hasOwn(values, base)) return violation(base, 'type', 'must be given only once')
      values[base] = value
      return undefined
  }
}

function addToMap(values: Record<string, unknown>, base: string, name: string, value: string): Violation | undefined {
  const member = mapMember.exec(name)?.[1]
  if (member === undefined || member === '__proto__') {
    return violation(name, 'format', `must be written ${base}[name]=value`)
  }
  const map = (values[base] as Record<string, string> | undefined) ?? {}
  if (Object.hasOwn(map, member)) return violation(name, 'type', 'must be given only once')
  if (Object.keys(map).length >= maxMapMembers) {
    return violation(base, 'max', `must have at most ${maxMapMembers} members`)
  }
  values[base] = { ...map, [member]: value }
  return undefined
}

const mapMember = /^[^[\]]+\[([^[\]]+)\]$/

function unknownParameter(name: string, known: ReadonlyMap<string, ParameterForm>): Violation {
  const closest = nearest(name, [...known.keys()])
  const hint = closest === undefined ? 'there are none here' : `did you mean "${closest}"?`
  return violation(name, 'enum', `is not a known query parameter; ${hint}`, 'unknown-parameter')
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
    throw errors.badRequest('The query is not well-formed: a percent sign must begin an escape in UTF-8.')
  }
  if (decoded.includes('\0')) throw errors.badRequest('The query holds a NUL character.')
  return decoded
}
