import type { LookedUpAccount } from '../../domain/looked-up-accounts.ts'

/**
 * Who knows the accounts of other platforms. Methods never throw and never take longer than the provider's time-out.
 */
export interface ProfileProvider {
  /** False when nobody is ever asked, so that nothing need wait for an answer. */
  knowsSteam: boolean
  knowsMinecraft: boolean
  steam(steamId: string): Promise<AccountAnswer>
  /** @param uuid dashed, lower-case */
  minecraftByUuid(uuid: string): Promise<AccountAnswer>
  /** @param name a Java name, in any case */
  minecraftByName(name: string): Promise<AccountAnswer>
}

/** `absent`: the platform says for certain that there is no such account. `failed`: it said nothing we can use. */
export type AccountAnswer =
  | { outcome: 'found'; account: LookedUpAccount }
  | { outcome: 'absent' }
  | { outcome: 'failed'; cause: unknown }
  | { outcome: 'unasked' }
