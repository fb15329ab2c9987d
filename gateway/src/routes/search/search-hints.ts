import { isFlakeId } from '@storekeep/common/flake'
import { isSteamId, isXboxXuid, parseUuid } from '@storekeep/proto/conventions/account-ids'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { z } from 'zod'
import { nearest } from '../../http/nearest.ts'
import { fails, text } from '../../schemas/fields.ts'

/** Each hint with the records that it looks at. */
const hints = {
  customer_id: 'The customer, its checkout sessions, bans that name it, coupons that only it may use.',
  steam_id: 'Customers and bans.',
  minecraft_uuid: 'Customers and bans.',
  xbox_xuid: 'Customers and bans.',
  code: 'Coupons and affiliate links, in any case.',
  name: 'Customers, bans, custom variables and products; a whole name, in any case and without accents.',
  email: 'Bans, and checkout sessions by their billing address.',
  ip: 'Bans.',
} as const

export type HintName = keyof typeof hints
export const hintNames = Object.keys(hints) as HintName[]

/** What a value of a hint has to be, where it cannot be just any text: the check, what a caller reads, and the schema. */
const forms: Partial<Record<HintName, HintForm>> = {
  customer_id: {
    fits: isFlakeId,
    message: 'must be an id: 1 to 19 decimal digits',
    schema: { pattern: '^[1-9][0-9]{0,18}$' },
  },
  steam_id: { fits: isSteamId, message: 'must be a Steam ID 64', schema: { pattern: '^7656(119|120)[0-9]{10}$' } },
  minecraft_uuid: {
    fits: (value) => parseUuid(value) !== undefined,
    message: 'must be a uuid, dashed or bare',
    schema: { pattern: '^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$' },
  },
  xbox_xuid: { fits: isXboxXuid, message: 'must be 1 to 20 decimal digits', schema: { pattern: '^[0-9]{1,20}$' } },
  ip: {
    fits: (value) => parseIpAddress(value) !== undefined,
    message: 'must be an IPv4 or IPv6 address',
    schema: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
  },
}

interface HintForm {
  fits(value: string): boolean
  message: string
  schema: object
}

/**
 * `search_hints[code]=summer`: names that are unknown are refused, with the one that is nearest, and so are values that
 * no record could have.
 */
export const searchHints = z
  .record(z.string(), text(0, 320))
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
    description:
      'What must be in the record, as a whole value; several must all hold, a blank one restricts nothing. Records of ' +
      'types that a hint does not look at are not found.',
    param: { style: 'deepObject', explode: true },
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

/** The hints as the search service takes them. */
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
