import type { Clock } from '@storekeep/common/clock'
import type { Logger } from '@storekeep/common/log'
import type { ProfilesConfig } from '../../config.ts'
import { cachedLookup } from './cached-lookup.ts'
import { createMojangLookups } from './mojang-provider.ts'
import type { AccountLookup, ProfileProvider } from './profile-provider.ts'
import { createSteamLookup } from './steam-provider.ts'

/** Creates the configured providers, each behind a cache. Lookups without a provider return `skipped`. */
export function createProfileProvider(config: ProfilesConfig, deps: Dependencies): ProfileProvider {
  const { timeoutMs, cacheSize } = config
  const steam = config.steam && createSteamLookup({ ...config.steam, timeoutMs })
  const mojang = config.mojang && createMojangLookups({ ...config.mojang, timeoutMs })

  function cachedAndLogged(lookup: Lookup | undefined): Lookup {
    if (!lookup) return async () => ({ outcome: 'skipped' })
    const cached = cachedLookup(lookup, { clock: deps.clock, size: cacheSize })
    return async (id) => {
      const result = await cached(id)
      if (result.outcome === 'failed') deps.log.warn({ err: result.cause }, 'profile lookup failed')
      return result
    }
  }

  return {
    looksUpSteam: steam !== undefined,
    looksUpMinecraft: mojang !== undefined,
    steam: cachedAndLogged(steam),
    minecraftByUuid: cachedAndLogged(mojang?.minecraftByUuid),
    minecraftByName: cachedAndLogged(mojang?.minecraftByName),
  }
}

type Lookup = (id: string) => Promise<AccountLookup>

interface Dependencies {
  clock: Pick<Clock, 'monotonicMs'>
  log: Logger
}
