import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { encodeSecret } from '@storekeep/common/crypto'
import { apiKeyPrefix } from '@storekeep/proto/conventions/api-key'

/** Values that no other test uses. */
export const fresh = {
  /** A valid SteamID64. */
  steamId: () => String(76_561_197_960_265_729n + BigInt(randomInt(0, 2 ** 32 - 2))),
  /** Dashed, lower-case. */
  uuid: () => randomUUID(),
  /** Sixteen digits, as issued by Xbox. */
  xuid: () => `25${randomDigits(14)}`,
  /** A name that is also a valid Minecraft Java name. */
  name: () => `n${randomBytes(6).toString('hex')}`,
  /** A code or slug for a coupon, an affiliate link, a product or a variable. */
  code: () => `C${randomBytes(6).toString('hex')}`,
  email: () => `${randomBytes(6).toString('hex')}@example.org`,
  /** IPv6 in canonical form. */
  ip: () => `2001:db8:${[1, 2, 3].map(() => randomInt(1, 0x1_0000).toString(16)).join(':')}::1`,
  couponCode: () => `CODE-${randomBytes(6).toString('hex')}`,
  /** A well-formed API key with a valid checksum that was never issued. */
  apiKey: () => encodeSecret(apiKeyPrefix, Buffer.concat([Buffer.of(1), randomBytes(40)])),
  idempotencyKey: () => `key-${randomBytes(12).toString('hex')}`,
}

/** A well-formed snowflake id that no record has. */
export const unknownId = '4611686018427387904'

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(0, 10)).join('')
}
