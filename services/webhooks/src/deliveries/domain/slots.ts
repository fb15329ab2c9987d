/** An endpoint with due deliveries. */
export interface DueEndpoint {
  storeId: string
  webhookEndpointId: string
  isFailing: boolean
  /** Deliveries whose attempt may start, counted up to the bound of an endpoint. */
  due: number
  /** Attempts in flight, of all replicas. */
  inFlight: number
}

/**
 * How many attempts may start for each endpoint.
 *
 * Bounds: 8 attempts in flight per endpoint and 2 per failing endpoint, 40 per store, `free.all` in this process, and in it at most
 * `free.forFailing` of failing endpoints. So unresponsive endpoints can use up neither their store's slots nor the process's.
 *
 * The last quarter of the slots of the process is kept for stores that have at most one attempt in flight in it. So 40 stores
 * with slow receivers, each within its bounds, leave slots to others.
 *
 * @param endpoints in the order in which they became due
 * @param inFlightByStore attempts in flight, of all replicas
 * @param free the slots of this process that are free, and its attempts in flight per store
 */
export function allocateSlots<Endpoint extends DueEndpoint>(
  endpoints: readonly Endpoint[],
  inFlightByStore: ReadonlyMap<string, number>,
  free: FreeSlots,
): Allocation<Endpoint>[] {
  const left = { all: free.all, forFailing: free.forFailing }
  const leftByStore = new Map<string, number>()
  const hereByStore = new Map(free.inFlightByStore)
  return endpoints.map((endpoint) => {
    const { storeId, isFailing, due, inFlight } = endpoint
    const freeSlots = Math.max(0, (isFailing ? bounds.perFailingEndpoint : bounds.perEndpoint) - inFlight)
    const wanted = Math.min(due, freeSlots)
    const ofStore = leftByStore.get(storeId) ?? Math.max(0, bounds.perStore - (inFlightByStore.get(storeId) ?? 0))
    const here = hereByStore.get(storeId) ?? 0
    const share = Math.max(0, left.all - bounds.keptPerProcess, bounds.keptPerStore - here)
    const ofProcess = isFailing ? Math.min(left.all, left.forFailing) : left.all
    const slots = Math.min(wanted, ofStore, share, ofProcess)
    const isDeferred = wanted > Math.min(ofStore, share, isFailing ? left.forFailing : wanted)
    hereByStore.set(storeId, here + slots)
    leftByStore.set(storeId, ofStore - slots)
    left.all -= slots
    if (isFailing) left.forFailing -= slots
    return { endpoint, slots, isDeferred, isFull: due > freeSlots && slots === freeSlots }
  })
}

export interface FreeSlots {
  all: number
  forFailing: number
  inFlightByStore: ReadonlyMap<string, number>
}

/** How many attempts of an endpoint may start. */
export interface Allocation<Endpoint> {
  endpoint: Endpoint
  slots: number
  /** More are due than may start for its store, all in all or in this process, or for failing endpoints in this process. */
  isDeferred: boolean
  /** More are due than may start for the endpoint, all of whose slots are taken. */
  isFull: boolean
}

export const bounds = {
  perEndpoint: 8,
  perFailingEndpoint: 2,
  perStore: 40,
  perProcess: 256,
  failingPerProcess: 128,
  keptPerProcess: 64,
  keptPerStore: 2,
}
