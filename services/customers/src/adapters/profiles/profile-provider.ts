import type { PlatformAccount } from '../../customers/domain/platform-accounts.ts'

/** Looks up accounts on other platforms. Methods never throw and take no longer than the provider's timeout. */
export interface ProfileProvider {
  /** False when no provider is configured. */
  looksUpSteam: boolean
  looksUpMinecraft: boolean
  steam(steamId: string): Promise<AccountLookup>
  /** @param uuid dashed, lower-case */
  minecraftByUuid(uuid: string): Promise<AccountLookup>
  /** @param name Java name, case-insensitive */
  minecraftByName(name: string): Promise<AccountLookup>
}

/**
 * `not_found`: the platform reports that the account does not exist. `failed`: no usable response. `skipped`: no provider
 * is configured.
 */
export type AccountLookup =
  | { outcome: 'found'; account: PlatformAccount }
  | { outcome: 'not_found' }
  | { outcome: 'failed'; cause: unknown }
  | { outcome: 'skipped' }
