import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const customerType = defineRecordType({
  type: 'customer',
  owner: 'customers',
  schema: CustomerSchema,
  changes: [CustomerCreatedSchema, CustomerUpdatedSchema, CustomerTokensRevokedSchema],
  deletions: [CustomerDeletedSchema],
  eventField: 'customer',
  describe({ id, name, profile, steam, minecraft, steamId, minecraftUuid, xboxXuid }) {
    const names = nonEmpty(name, profile?.name, steam?.name, minecraft?.name)
    return {
      texts: nonEmpty(...names, steamId, minecraftUuid, xboxXuid),
      // A UUID without dashes is one word.
      ids: nonEmpty(id, minecraftUuid?.replaceAll('-', '')),
      hints: {
        customer_id: [id],
        steam_id: nonEmpty(steamId),
        minecraft_uuid: nonEmpty(minecraftUuid),
        xbox_xuid: nonEmpty(xboxXuid),
        name: names,
      },
    }
  },
})
