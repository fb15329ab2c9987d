import { type ValidationKind, type Violation, validationKinds, violation } from '@storekeep/common/errors'
import type { z } from 'zod'

/**
 * The violations of input that a schema rejected: each invalid field with its path, the kind of check and what is
 * expected. Every invalid list item is named, but with only its first fields when many items are invalid, so that the
 * response cannot grow with a hostile body. The schema of the list limits the number of items.
 */
export function violationsOf(error: z.ZodError, input: unknown): Violation[] {
  const byItem = Map.groupBy(error.issues, itemOf)
  const maxPerItem = Math.max(minPerItem, Math.floor(maxInLists / byItem.size))
  return [...byItem].flatMap(([item, issues]) =>
    withoutDuplicates(issues)
      .slice(0, item === '' ? maxOutsideLists : maxPerItem)
      .map((issue) => describe(issue, input)),
  )
}

/** Two checks can report the same problem: 1e300 is beyond the integer range and beyond the field's maximum. */
function withoutDuplicates(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const known = new Set<string>()
  return issues.filter(({ path, code }) => {
    const key = `${path.join('.')} ${code}`
    return code === 'custom' || (!known.has(key) && known.add(key))
  })
}

/** The outermost list item that contains the issue; "" for none. */
function itemOf({ path }: z.core.$ZodIssue): string {
  const index = path.findIndex((part) => typeof part === 'number')
  return index < 0 ? '' : path.slice(0, index + 1).join('.')
}

const maxOutsideLists = 100
const maxInLists = 1000
const minPerItem = 5

function describe(issue: z.core.$ZodIssue, input: unknown): Violation {
  const path = issue.path.map(String).join('.')
  switch (issue.code) {
    case 'invalid_type':
      return describeType(path, issue.expected, valueAt(input, issue.path))
    case 'invalid_value':
      if (valueAt(input, issue.path) === undefined) return violation(path, 'required', 'is required')
      return violation(path, 'enum', `must be one of ${issue.values.map(String).join(', ')}`)
    case 'invalid_union':
      if (valueAt(input, issue.path) === undefined) return violation(path, 'required', 'is required')
      return violation(path, 'type', 'must be a string or a number')
    case 'too_small':
      return describeBound(path, issue.origin, 'min', `at least ${issue.minimum}`)
    case 'too_big':
      return describeBound(path, issue.origin, 'max', `at most ${issue.maximum}`)
    case 'custom':
      return violation(path, kindOf(issue.params?.kind), issue.message, issue.params?.code)
    case 'invalid_format':
      return violation(path, issue.format === 'regex' ? 'pattern' : 'format', `must be a well-formed ${issue.format}`)
    default:
      return violation(path, 'format', issue.message)
  }
}

function describeType(path: string, expected: string, value: unknown): Violation {
  if (value === undefined) return violation(path, 'required', 'is required')
  if (typeof value === 'bigint' && (expected === 'number' || expected === 'int')) {
    return violation(path, value < 0n ? 'min' : 'max', 'is out of range')
  }
  const noun = typeNouns[expected] ?? expected
  return violation(path, 'type', value === null ? `must be ${noun}, not null` : `must be ${noun}`)
}

const typeNouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
}

function describeBound(path: string, origin: string, kind: 'min' | 'max', bound: string): Violation {
  switch (origin) {
    case 'string':
      return violation(path, 'length', `must have ${bound} characters`)
    case 'array':
      return violation(path, 'length', `must have ${bound} ${bound.endsWith(' 1') ? 'item' : 'items'}`)
    default:
      return violation(path, kind, `must be ${bound}`)
  }
}

function kindOf(kind: unknown): ValidationKind {
  return validationKinds.find((one) => one === kind) ?? 'format'
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
