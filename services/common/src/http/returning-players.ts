import { hash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { addressGroup } from './peer-address.ts'

/**
 * Remembers the names that signed in to a store from an address. The limits per name and per store do not apply to them
 * from this address, so that others, who can type any name from any address, cannot lock these players out. Such a sign-in stays limited per
 * address, and creates an account only if the store has linked the player's customer to another account since. Kept in this
 * process; forgotten when it restarts.
 */
export function createReturningPlayers({ monotonicMs }: { monotonicMs: () => number }): ReturningPlayers {
  const knownUntil = new BoundedMap<string, number>(50_000)
  return {
    has: (player) => (knownUntil.get(digest(player)) ?? 0) > monotonicMs(),
    add(player) {
      knownUntil.set(digest(player), monotonicMs() + keptMs)
    },
  }
}

export interface ReturningPlayers {
  has(player: Player): boolean
  /** Call after a successful sign-in. */
  add(player: Player): void
}

interface Player {
  storeId: string
  platform: string
  /** The typed name. */
  id: string
  address: string
}

const keptMs = 7 * 24 * 60 * 60_000

function digest({ storeId, platform, id, address }: Player): string {
  return hash('sha256', JSON.stringify([storeId, platform, id, addressGroup(address)]), 'base64url').slice(0, 22)
}
