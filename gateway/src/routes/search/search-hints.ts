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

/** `search_hints[code]=summer`: names that are unknown are refused, with the one that is nearest. */
export const searchHints = z
  .record(z.string(), text(0, 320))
  .superRefine((given, context) => {
    for (const name of Object.keys(given).filter((one) => !Object.hasOwn(hints, one))) {
      const message = `is not a known hint; did you mean "${nearest(name, hintNames)}"?`
      const { params } = fails('enum', message)
      context.addIssue({ code: 'custom', path: [name], message, params })
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
      const properties = Object.entries(hints).map(([name, description]) => [name, { type: 'string', description }])
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
