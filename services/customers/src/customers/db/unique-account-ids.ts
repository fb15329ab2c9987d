import type { UniqueRule } from '@storekeep/common/postgres'

/** Account ids are unique per store. */
export const uniqueAccountIds: UniqueRule = {
  paths: {
    customer_steam_id_unique: 'steam_id',
    customer_minecraft_uuid_unique: 'minecraft_uuid',
    customer_xbox_xuid_unique: 'xbox_xuid',
  },
  message: 'Another customer of this store has this id.',
  problem: 'belongs to another customer of this store',
}
