import { z } from 'zod'
import { accountName, avatarAddress } from './account-fields.ts'
import { type FetchOptions, fetchJson } from './fetch-json.ts'
import type { AccountAnswer, ProfileProvider } from './profile-provider.ts'

/** Asks the Steam Web API (ISteamUser/GetPlayerSummaries). */
export function createSteamLookup({ baseUrl, apiKey, ...limits }: SteamOptions): ProfileProvider['steam'] {
  return async (steamId): Promise<AccountAnswer> => {
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/ISteamUser/GetPlayerSummaries/v0002/`)
    url.search = new URLSearchParams({ key: apiKey, steamids: steamId }).toString()
    const { players } = summaries.parse(await fetchJson(url, limits)).response
    const [player] = players
    // It answers an unknown id with an empty list.
    if (!player) return { outcome: 'absent' }
    if (player.steamid !== steamId) throw new Error('The provider answered about somebody else.')
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
