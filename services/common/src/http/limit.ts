/** One counter: at most `quota` requests per minute for everything that shares policy and key. */
export interface Limit {
  /** Appears in the rate-limit headers and as a metric label. */
  policy: string
  /** The subject that is counted. Hashed before it leaves the process. */
  key: string
  /** Limits of one request have the same group, if there are several. */
  group?: string
  quota: number
  /**
   * Counts through leases (`createLeases`), if the quota is large enough. Only for a limit that is the only one of its
   * requests and whose callers are authenticated.
   */
  leased?: boolean
}

/** A limit whose key costs a call. The call is skipped while another limit of the request is known to be exhausted. */
export interface LazyLimit extends Omit<Limit, 'key'> {
  key: () => Promise<string>
}

export interface Grant {
  limit: Limit
  granted: boolean
  remaining: number
  /** Time until further requests are granted. */
  resetInMs: number
}

/** Window of every limit. */
export const windowMs = 60_000

/** Identifies the counter of a limit within this process. */
export function keyOf({ policy, key }: Limit): string {
  return `${policy}:${key}`
}
