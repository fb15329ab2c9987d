import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { z } from 'zod'
import { fails, text } from '../../schemas/fields.ts'
import { timeInput } from '../../schemas/times.ts'
import { banIdentity, identityMessages } from './ban-identity.ts'

const members = {
  reason: text(0, 1000).nullish().meta({ description: 'For your staff; "" unless given.' }),
  identities: z.array(banIdentity).min(1).max(100).nullish(),
  expires_at: timeInput.nullish().meta({ description: 'Null: permanent. It stops by itself at that time.' }),
}

/** Body of a PATCH: what is absent stays; null makes the ban permanent, and leaves reason and identities alone. */
export const banPatch = z.object(members).meta({
  override: ({ jsonSchema }) => {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword as keyof typeof jsonSchema]
    jsonSchema.$ref = '#/components/schemas/UpsertBanRequestDto'
  },
})

/** Body of a create. */
export const newBan = z
  .object(members)
  .refine(({ identities }) => identities != null, { path: ['identities'], ...fails('required', 'is required') })
  .meta({ id: 'UpsertBanRequestDto', description: 'A new ban needs at least one identity.' })

export const newBanExample: z.input<typeof newBan> = {
  reason: 'Chargeback of order 1042',
  identities: [
    { ban_type: 'steam', ban_type_value: '76561197960287930' },
    { ban_type: 'ip', ban_type_value: '2001:db8::1' },
  ],
}

/** The members as the bans service takes them; null is left out. */
export function banInput({ reason, identities, expires_at }: z.output<typeof banPatch>) {
  return {
    identities: identityMessages(identities ?? []),
    ...(reason != null && { reason }),
    ...(expires_at != null && { expiresAt: timestampFromDate(expires_at) }),
  }
}

/** What the PATCH changes. */
export function banMask({ reason, identities, expires_at }: z.output<typeof banPatch>): string[] {
  return [
    ...(reason != null ? ['reason'] : []),
    ...(identities != null ? ['identities'] : []),
    ...(expires_at !== undefined ? ['expires_at'] : []),
  ]
}
