import { type FetchOptions, fetchJson } from '@storekeep/common/http'
import { parseUuid } from '@storekeep/proto/conventions/account-ids'
import { z } from 'zod'
import type { PlatformAccount } from '../../customers/domain/platform-accounts.ts'
import type { AccountLookup, ProfileProvider } from './profile-provider.ts'

/** Looks up Java accounts at Mojang, by name and by UUID. */
export function createMojangLookups(options: MojangOptions): MojangLookups {
  const { baseUrl, avatarUrl, ...limits } = options
  const base = baseUrl.replace(/\/+$/, '')

  async function lookUp(path: string, matches: (account: PlatformAccount) => boolean): Promise<AccountLookup> {
    const body = await fetchJson(new URL(`${base}${path}`), limits)
    if (body === undefined) return { outcome: 'not_found' }
    const { id, name } = profile.parse(body)
    const account = { id, name, avatarUrl: avatarUrl?.replaceAll('{uuid}', id) ?? null }
    if (!matches(account)) throw new Error('the provider returned another account')
    return { outcome: 'found', account }
  }

  return {
    minecraftByUuid: (uuid) => lookUp(`/user/profile/${uuid.replaceAll('-', '')}`, ({ id }) => id === uuid),
    minecraftByName: (name) =>
      lookUp(
        `/users/profiles/minecraft/${encodeURIComponent(name)}`,
        (account) => account.name.toLowerCase() === name.toLowerCase(),
      ),
  }
}

export type MojangLookups = Pick<ProfileProvider, 'minecraftByUuid' | 'minecraftByName'>

interface MojangOptions extends FetchOptions {
  baseUrl: string
  /** Avatar URL template with a `{uuid}` placeholder. */
  avatarUrl: string | undefined
}

const profile = z.object({
  id: z.string().transform((text, context) => {
    const uuid = parseUuid(text)
    if (uuid === undefined) context.addIssue({ code: 'custom', message: 'is not a UUID' })
    return uuid ?? ''
  }),
  name: z.string().regex(/^[A-Za-z0-9_]{1,16}$/),
})
