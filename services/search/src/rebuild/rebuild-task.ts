import { ServiceFault } from '@storekeep/common/errors'
import type { Queryable } from '@storekeep/common/postgres'
import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { dropDocuments } from '../db/document-table.ts'
import {
  beginGeneration,
  describeLive,
  failGeneration,
  hasJustFailed,
  lockGenerations,
  selectLeftovers,
} from '../db/generation-repository.ts'
import { endLease, leaseRunning, noteProblem } from '../db/rebuild-repository.ts'
import { indexVersion } from '../domain/document-index.ts'
import { kinds } from '../kinds/index.ts'
import { buildGeneration } from './build.ts'

/**
 * Builds generations that were begun, in one process at a time; another goes on where a process died. Also begins one
 * by itself: on a system that has none (its records may be older than the events), and when the live one lacks a kind
 * of record or was made by another version of the rules.
 */
export function rebuildTask(ctx: AppContext): PeriodicTask {
  const { database, bulk, log, worker } = ctx
  async function run(isStopping: () => boolean): Promise<void> {
    await beginWhenNeeded(database)
    const generation = await leaseRunning(database, worker)
    if (generation !== undefined) await work(ctx, generation, isStopping)
    for (const leftover of await selectLeftovers(database)) await dropDocuments(bulk, leftover)
  }
  return createPeriodicTask({ name: 'search-rebuild', everyMs, log, run })
}

const everyMs = 500
const keepLeaseMs = 4000
const maxFailures = 3

async function beginWhenNeeded(database: AppContext['database']): Promise<void> {
  if ((await isLiveComplete(database)) || (await hasJustFailed(database))) return
  const aggregates = kinds.map(({ type }) => type)
  await database.transaction(async (tx) => {
    await lockGenerations(tx)
    // Another process may have made one live in between.
    if (!(await isLiveComplete(tx))) await beginGeneration(tx, indexVersion, aggregates)
  })
}

async function isLiveComplete(db: Queryable): Promise<boolean> {
  const live = await describeLive(db)
  return live?.indexVersion === indexVersion && kinds.every(({ type }) => live.aggregates.includes(type))
}

/** Builds as far as it gets. What it has done is kept when the process ends or another one takes over. */
async function work(ctx: AppContext, generation: string, isStopping: () => boolean): Promise<void> {
  const lease = { isLost: false }
  const timer = setInterval(() => void keepLease(ctx, generation, lease), keepLeaseMs)
  try {
    await buildGeneration(ctx, generation, () => isStopping() || lease.isLost)
  } catch (error) {
    if (lease.isLost) return
    await endLease(ctx.database, ctx.worker).catch(() => {})
    if (!isStopping()) await note(ctx, generation, error)
  } finally {
    clearInterval(timer)
  }
}

async function keepLease(
  { database, worker }: AppContext,
  generation: string,
  lease: { isLost: boolean },
): Promise<void> {
  try {
    if ((await leaseRunning(database, worker)) !== generation) lease.isLost = true
  } catch {
    // While the database is away nobody else can take it either.
  }
}

/** An owner or a database that is away is waited for; anything else is tried some times. */
async function note({ database, log }: AppContext, generation: string, error: unknown): Promise<void> {
  const isOwnFailure = !(error instanceof ServiceFault && error.code === 'service-unavailable')
  const problem = error instanceof Error ? error.message : String(error)
  const { isNew, failures } = await noteProblem(database, generation, problem, { isOwnFailure })
  if (isNew || isOwnFailure) log.warn({ err: error, generation }, 'the search index could not be built; trying on')
  if (failures >= maxFailures) await failGeneration(database, generation, problem)
}
