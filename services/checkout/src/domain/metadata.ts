import { type Violation, violation } from '@storekeep/common/errors'
import type { Metadata } from './product.ts'

/** What is wrong with a map of metadata (contract section A, metadata). */
export function metadataViolations(metadata: Metadata, at: string): Violation[] {
  const entries = Object.entries(metadata)
  if (entries.length > maxKeys) return [violation(at, 'max', `must have at most ${maxKeys} keys`)]
  return entries.flatMap(([key, value]) => {
    const path = `${at}.${key}`
    if ([...key].length > maxKeyLength) {
      return [violation(path, 'length', `must have a key of at most ${maxKeyLength} characters`)]
    }
    if ([...value].length > maxValueLength) {
      return [violation(path, 'length', `must have at most ${maxValueLength} characters`)]
    }
    return key.includes('\0') || value.includes('\0')
      ? [violation(path, 'pattern', 'must not hold NUL characters')]
      : []
  })
}

const maxKeys = 50
const maxKeyLength = 64
const maxValueLength = 500
