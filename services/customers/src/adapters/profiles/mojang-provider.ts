import { parseUuid } from '@storekeep/proto/conventions/account-ids'
import { z } from 'zod'
import type { LookedUpAccount } from '../../domain/looked-up-accounts.ts'
import { type FetchOptions, fetchJson } from './fetch-json.ts'
import type { AccountAnswer, ProfileProvider } from './profile-provider.ts'

/** Asks Mojang for Java accounts, by name and by uuid. */
export function createMojangLookups(options: MojangOptions): MojangLookups {
  const { baseUrl, avatarUrl, ...limits } = options
  const base = baseUrl.replace(/\/+$/, '')

  async function ask(path: string, isTheOne: (account: LookedUpAccount) => boolean): Promise<AccountAnswer> {
    const answer = await fetchJson(new URL(`${base}${path}`), limits)
    if (answer === undefined) return { outcome: 'absent' }
    const { id, name } = profile.parse(answer)
    const account = { id, name, avatarUrl: avatarUrl?.replaceAll('{uuid}', id) ?? null }
    if (!isTheOne(account)) throw new Error('The provider answered about somebody else.')
    return { outcome: 'found', account }
  }

  return {
    minecraftByUuid: (uuid) => ask(`/user/profile/${uuid.replaceAll('-', '')}`, ({ id }) => id === uuid),
    minecraftByName: (name) =>
      ask(
        `/users/profiles/minecraft/${encodeURIComponent(name)}`,
        (account) => account.name.toLowerCase() === name.toLowerCase(),
      ),
  }
}

export type MojangLookups = Pick<ProfileProvider, 'minecraftByUuid' | 'minecraftByName'>

interface MojangOptions extends FetchOptions {
  baseUrl: string
  /** Address of a player's picture, with `{uuid}` in it. */
  avatarUrl: string | undefined
}

const profile = z.object({
  id: z.string().transform((text, context) => {
    const uuid = parseUuid(text)
    if (uuid === undefined) context.addIssue({ code: 'custom', message: 'is not a uuid' })
    return uuid ?? ''
  }),
  name: z.string().regex(/^[A-Za-z0-9_]{1,16}$/),
})
