import type { Clock } from '@storekeep/common/clock'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { type Store, TaxMode } from '@storekeep/proto/stores/v1/store'
import type { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { TaxSettings } from '../sessions/domain/tax.ts'

/** How a store sells. */
export interface StoreTerms {
  /** ISO 4217, lower-case. */
  currency: string
  /** Null if the store charges no taxes. */
  tax: TaxSettings | null
}

/** The terms of stores, cached for a few seconds. */
export function createStoreDirectory(
  stores: Pick<Client<typeof StoresService>, 'getStore'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): StoreDirectory {
  const known = new Map<string, { terms: StoreTerms; until: number }>()

  return {
    async get(storeId, call) {
      const now = monotonicMs()
      const entry = known.get(storeId)
      if (entry && entry.until > now) return entry.terms
      const { store } = await stores.getStore({}, { ...onBehalfOf(call), storeId })
      if (!store?.currency) throw new Error(`store ${storeId} has no currency`)
      if (known.size >= maxKnown) known.clear()
      const terms = { currency: store.currency, tax: taxSettings(store) }
      known.set(storeId, { terms, until: now + keptMs })
      return terms
    },
  }
}

export interface StoreDirectory {
  /** @throws ServiceFault `not-found` for an unknown store, `service-unavailable` if it cannot be loaded */
  get(storeId: string, call: Call): Promise<StoreTerms>
}

function taxSettings({ tax, timeZone }: Store): TaxSettings | null {
  if (tax?.mode !== TaxMode.INCLUSIVE && tax?.mode !== TaxMode.EXCLUSIVE) return null
  return {
    inclusive: tax.mode === TaxMode.INCLUSIVE,
    registrations: tax.registrations.map(({ country, rate, name }) => ({ country, rate: rate ?? null, name })),
    country: tax.country ?? null,
    timeZone: timeZone || 'UTC',
  }
}

const keptMs = 5000
const maxKnown = 10_000
