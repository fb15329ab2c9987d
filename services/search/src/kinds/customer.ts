import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import {
  CustomerCreatedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import { given } from './given.ts'
import { defineKind } from './kind.ts'

export const customerKind = defineKind({
  type: 'customer',
  owner: 'customers',
  schema: CustomerSchema,
  changes: [CustomerCreatedSchema, CustomerUpdatedSchema, CustomerTokensRevokedSchema],
  deletions: [],
  inEvent: 'customer',
  describe({ id, name, profile, steam, minecraft, steamId, minecraftUuid, xboxXuid }) {
    const names = given(name, profile?.name, steam?.name, minecraft?.name)
    return {
      texts: given(...names, steamId, minecraftUuid, xboxXuid),
      // Written without its dashes a uuid is one word.
      ids: given(id, minecraftUuid?.replaceAll('-', '')),
      hints: {
        customer_id: [id],
        steam_id: given(steamId),
        minecraft_uuid: given(minecraftUuid),
        xbox_xuid: given(xboxXuid),
        name: names,
      },
    }
  },
})
