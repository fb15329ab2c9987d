import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type DatabaseHost, type DatabaseUrl, formatHosts } from '../config/index.ts'
import { firstCause } from '../errors/index.ts'
import type { ClosableClient } from './closable-client.ts'
import { isOutage, NoServerError, UnsuitableServerError } from './postgres-errors.ts'

/**
 * Queries all servers concurrently for whether they may be used, so that an unreachable server does not delay the search: servers
 * that have not responded 100 ms after the first usable one are ignored.
 *
 * Of several usable servers, the newest timeline wins: each promotion starts a timeline, so an older timeline belongs to a
 * former primary that came back and must not be written to. Then the current server, then the first in the list.
 *
 * @param search.newest the newest timeline that this process has seen; servers on an older one are rejected
 * @throws NoServerError if there is none; the first failure if no outage explains it, such as a wrong password
 */
export async function findServer(search: ServerSearch): Promise<FoundServer> {
  const usable: FoundServer[] = []
  const failures = new Map<DatabaseHost, unknown>()
  const probes = search.hosts.map(async (host) => {
    try {
      usable.push(await probe(host, search))
    } catch (error) {
      failures.set(host, error)
      throw error
    }
  })
  const all = Promise.allSettled(probes)
  const first = Promise.any(probes).then(
    () => sleep(graceMs),
    () => undefined,
  )
  await Promise.race([all, first])
  const rank = ({ host, timeline }: FoundServer) => [
    -(timeline?.number ?? 0),
    host === search.current ? 0 : 1,
    search.hosts.indexOf(host),
  ]
  const [found] = usable.sort((a, b) => compare(rank(a), rank(b)))
  if (!found) throw explain(failures, search.target)
  return found
}

const graceMs = 100

/** @throws UnsuitableServerError if the server of the connection may not be used */
export async function expectUsable(client: pg.ClientBase, target: Target): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean; isReadOnly: boolean }>(
    `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::bool as "isReadOnly"`,
  )
  const { isStandby = false, isReadOnly = false } = rows[0] ?? {}
  if (isStandby && (target === 'primary' || target === 'read-write')) throw new UnsuitableServerError('is a standby')
  if (isReadOnly && target === 'read-write') throw new UnsuitableServerError('is read-only')
  if (!isStandby && target === 'standby') throw new UnsuitableServerError('is not a standby')
  if (!isReadOnly && target === 'read-only') throw new UnsuitableServerError('is not read-only')
}

async function probe(host: DatabaseHost, { target, newest, createClient }: ServerSearch): Promise<FoundServer> {
  const client = createClient(host)
  client.on('error', () => {})
  try {
    await client.connect()
    await expectUsable(client, target)
    const timeline = await readTimeline(client)
    if (isOlder(timeline, newest)) throw new UnsuitableServerError('is a former primary')
    return { host, timeline }
  } finally {
    client.close()
  }
}

/** Undefined if the provider hides it. The control file has it in two fields, and a promotion updates the second one first. */
async function readTimeline(client: pg.ClientBase): Promise<Timeline | undefined> {
  try {
    const { rows } = await client.query<Timeline>(`
      select system_identifier::text as "cluster", greatest(timeline_id, min_recovery_end_timeline)::int as "number"
      from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`)
    return rows[0]
  } catch (error) {
    if (error instanceof pg.DatabaseError) return undefined
    throw error
  }
}

/** False for another cluster: one restored from a dump starts again at the first timeline. */
function isOlder(timeline: Timeline | undefined, newest: Timeline | undefined): boolean {
  return timeline !== undefined && newest?.cluster === timeline.cluster && timeline.number < newest.number
}

function explain(failures: ReadonlyMap<DatabaseHost, unknown>, target: Target): unknown {
  const all = [...failures.values()]
  const mistake = all.find((error) => !isOutage(error))
  if (mistake !== undefined) return mistake
  const reasons = [...failures].map(([host, error]) => `${formatHosts({ hosts: [host] })} ${describe(error)}`)
  return new NoServerError(all, `No server accepts ${target} sessions: ${reasons.join(', ')}.`)
}

function describe(error: unknown): string {
  const cause = firstCause(error)
  return cause instanceof Error ? cause.message : String(cause)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const difference = a.map((one, index) => one - (b[index] ?? 0)).find((one) => one !== 0)
  return difference ?? 0
}

export type Target = NonNullable<DatabaseUrl['target']>

export interface ServerSearch {
  hosts: readonly DatabaseHost[]
  target: Target
  /** The host in use until now. */
  current: DatabaseHost | undefined
  newest: Timeline | undefined
  /** A client that is not connected; its time limits bound the search. */
  createClient(host: DatabaseHost): ClosableClient
}

export interface FoundServer {
  host: DatabaseHost
  timeline: Timeline | undefined
}

/** A number that each promotion within a cluster increases. */
export interface Timeline {
  cluster: string
  number: number
}
