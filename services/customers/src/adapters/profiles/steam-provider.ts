import { type FetchOptions, fetchJson } from '@storekeep/common/http'
import { z } from 'zod'
import { accountName, avatarAddress } from './account-schemas.ts'
import type { AccountLookup, ProfileProvider } from './profile-provider.ts'

/** Looks up accounts in the Steam Web API (ISteamUser/GetPlayerSummaries). */
export function createSteamLookup({ baseUrl, apiKey, ...limits }: SteamOptions): ProfileProvider['steam'] {
  return async (steamId): Promise<AccountLookup> => {
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/ISteamUser/GetPlayerSummaries/v0002/`)
    url.search = new URLSearchParams({ key: apiKey, steamids: steamId }).toString()
    const { players } = summaries.parse(await fetchJson(url, limits)).response
    const [player] = players
    // Steam returns an empty list for an unknown id.
    if (!player) return { outcome: 'not_found' }
    if (player.steamid !== steamId) throw new Error('the provider returned another account')
    return {
      outcome: 'found',
      account: { id: steamId, name: player.personaname, avatarUrl: player.avatarfull ?? null },
    }
  }
}

interface SteamOptions extends FetchOptions {
  baseUrl: string
  apiKey: string
}

const summaries = z.object({
  response: z.object({
    players: z
      .array(z.object({ steamid: z.string(), personaname: accountName, avatarfull: avatarAddress.nullish() }))
      .max(1),
  }),
})
