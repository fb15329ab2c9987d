import type { Ban } from '@storekeep/proto/bans/v1/ban'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { flakeId } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { banIdentity, banTypeName } from './ban-identity.ts'

export const banDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    reason: z.string().meta({ description: 'For your staff; never shown to a customer.' }),
    enabled: z.boolean().meta({ description: 'False once the ban has expired.' }),
    identities: z.array(banIdentity),
    created_by: actorDtoSchema,
    created_at: dateTime,
    updated_by: actorDtoSchema.nullable(),
    updated_at: dateTime.nullable(),
    expires_at: dateTime.nullable().meta({ description: 'Null: permanent.' }),
  })
  .meta({ id: 'BanDto' })

export type BanDto = z.input<typeof banDtoSchema>

/** A ban as the public interface prints it; what has no value is null. */
export function banDto(ban: Ban | undefined): BanDto {
  if (!ban?.createdAt) throw new Error('A service answered without the ban.')
  return {
    id: ban.id,
    store_id: ban.storeId,
    reason: ban.reason,
    enabled: ban.enabled,
    identities: ban.identities.map(({ banType, banTypeValue }) => ({
      ban_type: banTypeName(banType),
      ban_type_value: banTypeValue,
    })),
    created_by: actorDto(ban.createdBy),
    created_at: printTime(ban.createdAt),
    updated_by: ban.updatedBy ? actorDto(ban.updatedBy) : null,
    updated_at: printTime(ban.updatedAt),
    expires_at: printTime(ban.expiresAt),
  }
}

export const banExample: BanDto = {
  id: '411486491630370821',
  store_id: '411486491596816384',
  reason: 'Chargeback of order 1042',
  enabled: true,
  identities: [
    { ban_type: 'steam', ban_type_value: '76561197960287930' },
    { ban_type: 'ip', ban_type_value: '2001:db8::1' },
  ],
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
  expires_at: null,
}
