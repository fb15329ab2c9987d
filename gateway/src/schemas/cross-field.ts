import type { ValidationKind } from '@storekeep/common/errors'
import { fails } from '@storekeep/records/schemas/fields'

/**
 * Options of a check that compares fields of an object. It runs even when other fields are invalid, so that one response
 * names every violation; the check must accept fields of any type.
 */
export function crossField(path: string, kind: ValidationKind, error: string) {
  return { path: [path], when: isObject, ...fails(kind, error) }
}

/** The `when` of a check that needs an object. */
export function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
