import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { banLimits } from '@storekeep/proto/conventions/limits'
import { banIdentity, identityMessages } from '@storekeep/records/bans/ban-identity'
import { fails, text } from '@storekeep/records/schemas/fields'
import { sameSchemaAs } from '@storekeep/records/schemas/same-schema-as'
import { timeInput } from '@storekeep/records/schemas/times'
import { z } from 'zod'

const fields = {
  reason: text(0, banLimits.reasonLength)
    .nullish()
    .describe('Internal reason, for your staff; never shown to a customer. Default: an empty string.'),
  identities: z
    .array(banIdentity)
    .min(1)
    .max(banLimits.identities)
    .nullish()
    .describe(
      `Identities to ban, 1 to ${banLimits.identities}. Required on create; an update replaces the whole list.`,
    ),
  expires_at: timeInput.nullish().describe('When the ban expires; null or omitted on create for a permanent ban.'),
}

/** Null makes a ban permanent, and leaves reason and identities unchanged. */
export const banPatch = z.object(fields).meta({ override: sameSchemaAs('UpsertBanRequestDto') })

export const newBan = z
  .object(fields)
  .refine(({ identities }) => identities != null, { path: ['identities'], ...fails('required', 'is required') })
  .meta({ id: 'UpsertBanRequestDto', description: 'A new ban, or changes to a ban. A new ban needs an identity.' })

export const newBanExample: z.input<typeof newBan> = {
  reason: 'Chargeback of order 1042',
  identities: [
    { ban_type: 'steam', ban_type_value: '76561197960287930' },
    { ban_type: 'ip', ban_type_value: '2001:db8::1' },
  ],
}

/** The body as the bans service expects it, without null fields. */
export function banInput({ reason, identities, expires_at }: z.output<typeof banPatch>) {
  return {
    identities: identityMessages(identities ?? []),
    ...(reason != null && { reason }),
    ...(expires_at != null && { expiresAt: timestampFromDate(expires_at) }),
  }
}

/** The field mask of a PATCH. */
export function banMask({ reason, identities, expires_at }: z.output<typeof banPatch>): string[] {
  return [
    ...(reason != null ? ['reason'] : []),
    ...(identities != null ? ['identities'] : []),
    ...(expires_at !== undefined ? ['expires_at'] : []),
  ]
}
