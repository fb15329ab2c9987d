/** One counter: at most `quota` per minute for everything that shares policy and key. */
export interface Limit {
  /** Printed in the headers and as a metric's label. */
  policy: string
  /** Who is counted. Hashed before it leaves the process. */
  key: string
  quota: number
}

export interface Grant {
  limit: Limit
  granted: boolean
  remaining: number
  /** Until more may follow, counting from now. */
  opensInMs: number
}

/** Of every limit. */
export const windowMs = 60_000
