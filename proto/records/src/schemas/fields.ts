import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import type { ValidationKind } from '@storekeep/proto/conventions/error-codes'
import { isFlakeId } from '@storekeep/proto/conventions/flake-id'
import { hasLength, metadataLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'

/**
 * Field types that several endpoints share. Each rule is written once: the check with its message and kind (contract
 * section A, `validation`), next to its OpenAPI schema. They have no examples: the page at /docs would prefill every
 * parameter with them and send filters that the user did not choose.
 */

/** Snowflake id, always a string. */
export const flakeId = z
  .string()
  .refine(isFlakeId, fails('format', 'must be an id: a decimal number from 1 to 9223372036854775807, as a string'))
  .meta({
    id: 'FlakeId',
    description: 'Snowflake id: a decimal number from 1 to 9223372036854775807, always a JSON string.',
    // JSON Schema has no maximum for strings, and a pattern with the exact maximum would be 300 characters long.
    override: { pattern: '^[1-9][0-9]{0,18}$' },
  })

/**
 * SteamID64, as a string or a JSON number. The body parser turns integers beyond 2^53 into a bigint with every digit;
 * a plain number therefore is too small, or has lost digits to a fraction or exponent.
 */
export const steamId = z
  .union([z.string(), z.number(), z.bigint()])
  .transform((id) => (typeof id === 'number' ? '' : String(id)))
  .refine(isSteamId, fails('format', 'must be a SteamID64'))
  .meta({
    id: 'SteamId',
    description:
      'SteamID64 from 76561197960265729 to 76561202255233023. A JSON number with the same digits is accepted too.',
    // Only a string, because most languages lose digits of such a number.
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf
      jsonSchema.type = 'string'
      jsonSchema.pattern = '^7656(119|120)[0-9]{10}$'
    },
  })

export const uuid = z
  .string()
  .refine((text) => parseUuid(text) !== undefined, fails('format', 'must be a UUID'))
  .meta({
    override: { pattern: '^[0-9A-Fa-f]{8}(-?)[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{4}\\1[0-9A-Fa-f]{12}$' },
  })

export const xboxXuid = z
  .string()
  .refine((text) => parseXboxXuid(text) !== undefined, fails('format', 'must be 1 to 20 decimal digits'))
  .meta({ override: { pattern: '^[0-9]{1,20}$' } })

export const emailAddress = z
  .string()
  .refine((address) => parseEmailAddress(address) !== undefined, fails('format', 'must be an email address'))
  .meta({ override: { format: 'email', maxLength: 254 } })

/** Text of `min` to `max` characters, counted in code points. */
export function text(min: number, max: number) {
  const expected = min === 0 ? `at most ${max}` : `${min} to ${max}`
  return z
    .string()
    .refine((value) => hasLength(value, min, max), fails('length', `must have ${expected} characters`))
    .meta({ override: { minLength: min, maxLength: max } })
}

export function int32(min: number, max = 2 ** 31 - 1) {
  return z
    .int()
    .min(min)
    .max(max)
    .meta({ override: { format: 'int32' } })
}

/** Integer up to 2^53 - 1, the largest that JSON readers represent exactly. */
export function int64(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .int()
    .min(min)
    .max(max)
    .meta({ override: { format: 'int64' } })
}

/** Flat string map that callers attach to a record. */
export const metadata = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, ...issue } of metadataIssues(value)) context.addIssue({ code: 'custom', path, ...issue })
  })
  .transform((value) => value as Record<string, string>)
  .meta({
    example: { rank: 'vip' },
    override: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: metadataLimits.valueLength },
      propertyNames: { maxLength: metadataLimits.keyLength },
      maxProperties: metadataLimits.keys,
    },
  })

/** Description of a `metadata` field. */
export const metadataText =
  `Your own key-value data: at most ${metadataLimits.keys} keys of at most ${metadataLimits.keyLength} characters, ` +
  `values of at most ${metadataLimits.valueLength}.`

/** A string map in a response. */
export const stringMap = z.record(z.string(), z.string())

/** Options of a zod check: the message and the kind of the violation. */
export function fails(kind: ValidationKind, error: string) {
  return { error, params: { kind } }
}

interface Issue {
  path: string[]
  message: string
  params: { kind: ValidationKind }
}

function metadataIssues(value: unknown): Issue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [issue([], 'type', 'must be an object of strings')]
  }
  const { keys, keyLength, valueLength } = metadataLimits
  if (Object.keys(value).length > keys) return [issue([], 'max', `must have at most ${keys} keys`)]
  return Object.entries(value).flatMap(([key, entry]): Issue[] => {
    if (!hasLength(key, 0, keyLength)) {
      return [issue([key], 'length', `must have a key of at most ${keyLength} characters`)]
    }
    if (typeof entry !== 'string') return [issue([key], 'type', 'must be a string')]
    if (!hasLength(entry, 0, valueLength)) {
      return [issue([key], 'length', `must have at most ${valueLength} characters`)]
    }
    return []
  })
}

function issue(path: string[], kind: ValidationKind, message: string): Issue {
  return { path, message, params: { kind } }
}
