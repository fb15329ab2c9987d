/** How many connections of a process each kind of work may use. */
export interface ConnectionShares {
  /** Single statements, which share them. */
  statements: number
  /** Transactions: one each. */
  transactions: number
  /** Transactions that only insert rows. */
  inserts: number
  /** Scans: one each. */
  scans: number
}

/**
 * Divides the connections that a process may open. The first ten are enough for every purpose; most further connections serve
 * transactions, because only transactions keep a connection while they wait.
 *
 * @param total at least `minConnections`
 */
export function shareConnections(total: number): ConnectionShares {
  const isSmall = total < 16
  const shares = isSmall ? { statements: 2, inserts: 1, scans: 2 } : { statements: 4, inserts: 2, scans: 3 }
  return { ...shares, transactions: total - shares.statements - shares.inserts - shares.scans }
}

/** Three transactions, so that consumers, who may use a third of them, do not need all. */
export const minConnections = 8
