/** Knows where the servers of a REDIS_URL are, which can change: one server, the master behind Sentinel, or a Cluster. */
export interface Directory {
  /** Keys of one slot are on the same server, and one command may name several of them. */
  slotOf(key: string): number
  /** Looks the servers up. @throws if no server that knows them responds */
  find(): Promise<Locations>
}

export interface Locations {
  /** The servers that own slots. */
  servers: readonly Address[]
  /** The owner of a slot; undefined if it has none. */
  ownerOf(slot: number): Address | undefined
}

export interface Address {
  host: string
  port: number
}

/** Identifies a server, as MOVED and ASK name it. */
export function nameOf({ host, port }: Address): string {
  return `${host}:${port}`
}

/** All keys are on one server. */
export function onServer(address: Address): Locations {
  return { servers: [address], ownerOf: () => address }
}
