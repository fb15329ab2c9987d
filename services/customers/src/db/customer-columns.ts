import { raw } from 'sql-template-tag'

/** The columns of a CustomerRow. */
export const customerColumns = raw(`id, store_id as "storeId", steam_id as "steamId", steam_name as "steamName",
  steam_avatar_url as "steamAvatarUrl", minecraft_uuid as "minecraftUuid", minecraft_name as "minecraftName",
  minecraft_avatar_url as "minecraftAvatarUrl", minecraft_platform as "minecraftPlatform", xbox_xuid as "xboxXuid",
  name, metadata, sign_in_key as "signInKey", version, created_at as "createdAt", updated_at as "updatedAt"`)
