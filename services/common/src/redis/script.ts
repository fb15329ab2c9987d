import { createHash } from 'node:crypto'

/** A Lua script, which Redis runs atomically. */
export interface RedisScript {
  readonly text: string
  readonly sha1: string
}

/**
 * Defines a script. Call it once, at module level.
 * @param text Lua source. Keys are in `KEYS` and other arguments in `ARGV`, all as strings. The script may only access
 * keys in `KEYS`
 */
export function defineScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
