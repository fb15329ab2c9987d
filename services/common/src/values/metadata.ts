import { hasLength, metadataLimits } from '@storekeep/proto/conventions/limits'
import { type Violation, violation } from '../errors/index.ts'
import { textViolations } from './text.ts'

/**
 * Validates a metadata map (contract section A, metadata).
 * @param at path of the map
 * @returns up to one violation per entry
 */
export function metadataViolations(metadata: Readonly<Record<string, string>>, at: string): Violation[] {
  const entries = Object.entries(metadata)
  if (entries.length > metadataLimits.keys)
    return [violation(at, 'max', `must have at most ${metadataLimits.keys} keys`)]
  return entries.flatMap(([key, value]) => {
    const path = `${at}.${key}`
    if (!hasLength(key, 0, metadataLimits.keyLength)) {
      return [violation(path, 'length', `must have a key of at most ${metadataLimits.keyLength} characters`)]
    }
    const found = textViolations(path, value, 0, metadataLimits.valueLength)
    return found.length > 0 ? found : textViolations(path, key, 0, metadataLimits.keyLength)
  })
}
