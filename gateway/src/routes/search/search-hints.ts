import { isFlakeId } from '@storekeep/common/flake'
import { isSteamId, parseUuid, parseXboxXuid } from '@storekeep/proto/conventions/account-ids'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { searchLimits } from '@storekeep/proto/conventions/limits'
import { nearest } from '@storekeep/proto/conventions/nearest'
import { fails, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** Each hint with the records that it searches. */
const hints = {
  customer_id:
    'Customer id. Finds the customer, its checkout sessions, orders, subscriptions and delivery items, bans of the customer and coupons restricted to it.',
  steam_id: 'SteamID64. Finds customers and bans.',
  minecraft_uuid: 'Minecraft UUID. Finds customers and bans.',
  xbox_xuid: 'Xbox user id (XUID). Finds customers and bans.',
  code: 'Code, case-insensitive. Finds coupons and affiliate links.',
  name: 'Whole name, ignoring case and accents. Finds customers, bans, custom variables and products.',
  email: 'Email address. Finds bans, and checkout sessions and orders by their billing email address.',
  ip: 'IPv4 or IPv6 address. Finds bans.',
} as const

export type HintName = keyof typeof hints
export const hintNames = Object.keys(hints) as HintName[]

/** Formats of hint values: the check, its message, and the schema. Other hints accept any text. */
const forms: Partial<Record<HintName, HintForm>> = {
  customer_id: {
    fits: isFlakeId,
    message: 'must be an id: a decimal number from 1 to 9223372036854775807',
    schema: { $ref: '#/components/schemas/FlakeId' },
  },
  steam_id: { fits: isSteamId, message: 'must be a SteamID64', schema: { pattern: '^7656(119|120)[0-9]{10}$' } },
  minecraft_uuid: {
    fits: (value) => parseUuid(value) !== undefined,
    message: 'must be a UUID, with or without dashes',
    schema: { pattern: '^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$' },
  },
  xbox_xuid: {
    fits: (value) => parseXboxXuid(value) !== undefined,
    message: 'must be 1 to 20 decimal digits',
    schema: { pattern: '^[0-9]{1,20}$' },
  },
  ip: {
    fits: (value) => parseIpAddress(value) !== undefined,
    message: 'must be an IPv4 or IPv6 address',
    schema: { maxLength: 45 },
  },
}

interface HintForm {
  fits(value: string): boolean
  message: string
  schema: object
}

/** `search_hints[code]=summer`. Rejects unknown hints, with a suggestion, and malformed values. */
export const searchHints = z
  .record(z.string(), text(0, searchLimits.hintLength))
  .superRefine((given, context) => {
    for (const name of Object.keys(given).filter((one) => !Object.hasOwn(hints, one))) {
      const closest = nearest(name, hintNames)
      const hint = closest === undefined ? `use one of ${hintNames.join(', ')}` : `did you mean "${closest}"?`
      const message = `is not a search hint; ${hint}`
      const { params } = fails('enum', message)
      context.addIssue({ code: 'custom', path: [name], message, params })
    }
    for (const name of hintNames) {
      const value = given[name]?.trim()
      const form = forms[name]
      if (!value || !form || form.fits(value)) continue
      const { params } = fails('format', form.message)
      context.addIssue({ code: 'custom', path: [name], message: form.message, params })
    }
  })
  .transform((given): Partial<Record<HintName, string>> => given)
  .meta({
    id: 'SearchHints',
    description: 'Values that a record must contain. All given hints must match; empty hints are ignored.',
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames
      delete jsonSchema.additionalProperties
      const properties = hintNames.map((name) => {
        return [name, { type: 'string', description: hints[name], ...forms[name]?.schema }]
      })
      Object.assign(jsonSchema, {
        type: 'object',
        properties: Object.fromEntries(properties),
      })
    },
  })
  .optional()
  // zod-openapi reads `param` of the outermost schema only.
  .meta({
    description:
      'Values that a record must contain, such as `search_hints[code]=SUMMER`. All given hints must match; empty hints are ' +
      'ignored. A hint excludes the types of records that it does not search.',
    param: { style: 'deepObject', explode: true, example: { code: 'SUMMER' } },
  })

/** The hints as the search service expects them. */
export function hintsMessage(given: Partial<Record<HintName, string>>) {
  const { customer_id, steam_id, minecraft_uuid, xbox_xuid, code, name, email, ip } = given
  return {
    ...(customer_id && { customerId: customer_id }),
    ...(steam_id && { steamId: steam_id }),
    ...(minecraft_uuid && { minecraftUuid: minecraft_uuid }),
    ...(xbox_xuid && { xboxXuid: xbox_xuid }),
    ...(code && { code }),
    ...(name && { name }),
    ...(email && { email }),
    ...(ip && { ip }),
  }
}
