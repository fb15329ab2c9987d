import type { Logger } from '@storekeep/common/log'
import type { Clock } from '@storekeep/common/service'
import type { ProfilesConfig } from '../../config.ts'
import { cachedLookup } from './cached-lookup.ts'
import { createMojangLookups } from './mojang-provider.ts'
import type { AccountAnswer, ProfileProvider } from './profile-provider.ts'
import { createSteamLookup } from './steam-provider.ts'

/** The providers of the settings, each behind a cache; what has none stays offline and answers nothing. */
export function createProfileProvider(config: ProfilesConfig, deps: Dependencies): ProfileProvider {
  const { timeoutMs, cacheSize } = config
  const steam = config.steam && createSteamLookup({ ...config.steam, timeoutMs })
  const mojang = config.mojang && createMojangLookups({ ...config.mojang, timeoutMs })

  function prepare(lookup: Lookup | undefined): Lookup {
    if (!lookup) return async () => ({ outcome: 'unasked' })
    const cached = cachedLookup(lookup, { clock: deps.clock, size: cacheSize })
    return async (id) => {
      const answer = await cached(id)
      if (answer.outcome === 'failed') deps.log.warn({ err: answer.cause }, 'a profile look-up failed')
      return answer
    }
  }

  return {
    knowsSteam: steam !== undefined,
    knowsMinecraft: mojang !== undefined,
    steam: prepare(steam),
    minecraftByUuid: prepare(mojang?.minecraftByUuid),
    minecraftByName: prepare(mojang?.minecraftByName),
  }
}

type Lookup = (id: string) => Promise<AccountAnswer>

interface Dependencies {
  clock: Clock
  log: Logger
}
