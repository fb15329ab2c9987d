import type { ValidationKind } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { hasLength } from '@storekeep/common/values'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { z } from 'zod'

/**
 * Field types that several endpoints share. A rule is written once: as a check with the message and the kind
 * (contract section A, `validation`) that a caller reads, and as what the OpenAPI document says of it. Without
 * examples: the page at /docs fills those into every parameter, and would send filters that nobody chose.
 */

/** Flake id; always a string. */
export const flakeId = z
  .string()
  .refine(isFlakeId, fails('format', 'must be an id: 1 to 19 decimal digits, as a string'))
  .meta({
    id: 'FlakeId',
    description: 'Signed 64-bit id, always a string.',
    override: { pattern: '^[1-9][0-9]{0,18}$' },
  })

/**
 * Steam ID 64. As a JSON number too: the body parser keeps every digit of a whole number as a bigint. A plain number is
 * one with a fraction or an exponent, whose digits are lost, or one too small to be an id.
 */
export const steamId = z
  .union([z.string(), z.number(), z.bigint()])
  .transform((id) => (typeof id === 'number' ? '' : String(id)))
  .refine(isSteamId, fails('format', 'must be a Steam ID 64'))
  .meta({
    id: 'SteamId',
    description:
      'Steam ID 64, from 76561197960265729 to 76561202255233023. Answered as a string; accepted as a number too.',
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf
      jsonSchema.type = ['string', 'integer']
      jsonSchema.pattern = '^7656(119|120)[0-9]{10}$'
    },
  })

export const uuid = z
  .string()
  .refine((text) => parseUuid(text) !== undefined, fails('format', 'must be a uuid'))
  .meta({
    description: 'Dashed or bare, in any case; answered dashed and in lower case.',
    override: { pattern: '^[0-9A-Fa-f]{8}(-?)[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{12}$' },
  })

export const xboxXuid = z
  .string()
  .refine(isXboxXuid, fails('format', 'must be 1 to 20 decimal digits'))
  .meta({ description: 'Xbox XUID.', override: { pattern: '^[0-9]{1,20}$' } })

/** Text of `min` to `max` characters; a character is a code point, however many units it takes. */
export function text(min: number, max: number) {
  const expected = min === 0 ? `at most ${max}` : `${min} to ${max}`
  return z
    .string()
    .refine((value) => hasLength(value, min, max), fails('length', `must have ${expected} characters`))
    .meta({ override: { minLength: min, maxLength: max } })
}

/** Whole number of 32 bits. */
export function int32(min: number, max = 2 ** 31 - 1) {
  return z
    .int()
    .min(min)
    .max(max)
    .meta({ override: { format: 'int32' } })
}

/** Whole number up to 2^53 - 1, beyond which readers of JSON cannot tell one from the next. */
export function int64(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .int()
    .min(min)
    .max(max)
    .meta({ override: { format: 'int64' } })
}

/** Flat map of strings. */
export const metadata = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, ...issue } of metadataIssues(value)) context.addIssue({ code: 'custom', path, ...issue })
  })
  .transform((value) => value as Record<string, string>)
  .meta({
    description: 'At most 50 keys of at most 64 characters, values of at most 500.',
    example: { rank: 'vip' },
    override: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500 },
      propertyNames: { maxLength: 64 },
      maxProperties: 50,
    },
  })

/** Options of a zod check that say what the caller reads. */
export function fails(kind: ValidationKind, error: string) {
  return { error, params: { kind } }
}

interface Issue extends ReturnType<typeof metadataFails> {
  path: string[]
}

function metadataFails(kind: ValidationKind, message: string) {
  return { message, params: { kind } }
}

function metadataIssues(value: unknown): Issue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path: [], ...metadataFails('type', 'must be an object of strings') }]
  }
  const entries = Object.entries(value)
  if (entries.length > 50) return [{ path: [], ...metadataFails('max', 'must have at most 50 keys') }]
  return entries.flatMap(([key, entry]): Issue[] => {
    if (!hasLength(key, 0, 64))
      return [{ path: [key], ...metadataFails('length', 'must have a key of at most 64 characters') }]
    if (typeof entry !== 'string') return [{ path: [key], ...metadataFails('type', 'must be a string') }]
    if (!hasLength(entry, 0, 500))
      return [{ path: [key], ...metadataFails('length', 'must have at most 500 characters') }]
    return []
  })
}
