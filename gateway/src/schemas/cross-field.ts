import type { ValidationKind } from '@storekeep/common/errors'
import { fails } from './fields.ts'

/**
 * Options of a check that compares members of an object. It runs whatever else is wrong with them, so that a caller
 * reads of everything at once; the check has to bear members of any type.
 */
export function crossField(path: string, kind: ValidationKind, error: string) {
  return { path: [path], when: isObject, ...fails(kind, error) }
}

function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
