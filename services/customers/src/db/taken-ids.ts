import type { UniqueRule } from '@storekeep/common/postgres'

/** No two customers of a store have the same id. */
export const takenIds: UniqueRule = {
  paths: {
    customer_steam_id_unique: 'steam_id',
    customer_minecraft_uuid_unique: 'minecraft_uuid',
    customer_xbox_xuid_unique: 'xbox_xuid',
  },
  message: 'Another customer of the store has this id.',
  problem: 'belongs to another customer of the store',
}
