import type { Ban } from '@storekeep/proto/bans/v1/ban'
import { z } from 'zod'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { banIdentity, banTypeName } from './ban-identity.ts'

export const banDtoSchema = z
  .object({
    ...idFields('ban'),
    reason: z.string().describe('Internal reason, for your staff; never shown to a customer.'),
    enabled: z.boolean().describe('`false` once the ban has expired.'),
    identities: z.array(banIdentity).describe('Identities that the ban applies to.'),
    ...auditFields,
    expires_at: dateTime.nullable().describe('When the ban ends; null for a permanent ban.'),
  })
  .meta({ id: 'BanDto', description: 'A ban, which prevents customers with any of its identities from checking out.' })

export type BanDto = z.input<typeof banDtoSchema>

export function banDto(ban: Ban | undefined): BanDto {
  if (!ban) throw new Error('A service returned no ban.')
  return {
    id: ban.id,
    store_id: ban.storeId,
    reason: ban.reason,
    enabled: ban.enabled,
    identities: ban.identities.map(({ banType, banTypeValue }) => ({
      ban_type: banTypeName(banType),
      ban_type_value: banTypeValue,
    })),
    ...auditDto(ban),
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
  ...auditExample,
  expires_at: null,
}
