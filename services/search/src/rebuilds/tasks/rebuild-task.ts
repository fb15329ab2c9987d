import { isFault } from '@storekeep/common/errors'
import { createPeriodicTask, type PeriodicTask } from '@storekeep/common/lifecycle'
import type { Queryable } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { dropGeneration } from '../../documents/db/document-table.ts'
import { indexVersion } from '../../documents/domain/document-index.ts'
import { recordTypes } from '../../documents/mappers/record-types/index.ts'
import {
  failGeneration,
  findLiveGeneration,
  hasRecentFailure,
  lockGenerations,
  selectObsolete,
  startGeneration,
} from '../db/generation-repository.ts'
import { leaseRunning, recordProblem, releaseLease } from '../db/rebuild-repository.ts'
import { buildGeneration } from './build-generation.ts'

/**
 * Builds the running generation in one of the replicas; another replica continues if that one dies. Also starts a
 * generation by itself: in a system without one (its records can be older than the events), and when the live one lacks
 * a record type or has another `indexVersion`.
 */
export function rebuildTask(ctx: AppContext): PeriodicTask {
  const { database, bulk, log, worker } = ctx
  async function run(isStopping: () => boolean): Promise<void> {
    await startIfNeeded(ctx)
    const generation = await leaseRunning(database, worker)
    if (generation !== undefined) await build(ctx, generation, isStopping)
    for (const obsolete of await selectObsolete(database))
      await bulk((connection) => dropGeneration(connection, obsolete))
  }
  return createPeriodicTask({ name: 'search-rebuild', everyMs, log, run })
}

const everyMs = 500
const renewLeaseMs = 4000
const maxFailures = 3

async function startIfNeeded({ database, worker }: AppContext): Promise<void> {
  if ((await isLiveComplete(database)) || (await hasRecentFailure(database))) return
  const aggregates = recordTypes.map(({ type }) => type)
  await database.transaction(async (tx) => {
    await lockGenerations(tx)
    // Another replica may have completed one in between.
    if (!(await isLiveComplete(tx))) await startGeneration(tx, worker, indexVersion, aggregates)
  })
}

async function isLiveComplete(db: Queryable): Promise<boolean> {
  const live = await findLiveGeneration(db)
  if (live?.indexVersion !== indexVersion) return false
  return recordTypes.every(({ type }) => live.aggregates.includes(type))
}

/** Builds the generation while renewing the lease. Progress is kept if the process stops or loses the lease. */
async function build(ctx: AppContext, generation: string, isStopping: () => boolean): Promise<void> {
  const lease = { isLost: false }
  const timer = setInterval(() => void renewLease(ctx, generation, lease), renewLeaseMs)
  try {
    await buildGeneration(ctx, generation, () => isStopping() || lease.isLost)
  } catch (error) {
    if (lease.isLost) return
    await releaseLease(ctx.database, ctx.worker).catch(() => {})
    if (!isStopping()) await reportFailure(ctx, generation, error)
  } finally {
    clearInterval(timer)
  }
}

async function renewLease(
  { database, worker }: AppContext,
  generation: string,
  lease: { isLost: boolean },
): Promise<void> {
  try {
    if ((await leaseRunning(database, worker)) !== generation) lease.isLost = true
  } catch {
    // While the database is unreachable, no other worker can acquire the lease.
  }
}

/** Unreachable owners and databases are retried without limit, other failures `maxFailures` times. */
async function reportFailure({ database, log }: AppContext, generation: string, error: unknown): Promise<void> {
  const isOwnFailure = !isFault(error, 'service-unavailable')
  const problem = error instanceof Error ? error.message : String(error)
  const { isNew, failures } = await recordProblem(database, generation, problem, { isOwnFailure })
  if (isNew || isOwnFailure) log.warn({ err: error, generation }, 'search index build failed: retrying')
  if (failures >= maxFailures) await failGeneration(database, generation, problem)
}
