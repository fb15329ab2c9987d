import { metadataLimits } from '@storekeep/proto/conventions/limits'
import { type Violation, violation } from '../errors/index.ts'
import { hasLength, textViolations } from './text.ts'

/** What is wrong with a map of metadata, which callers keep for themselves: one violation for each entry at most. */
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
