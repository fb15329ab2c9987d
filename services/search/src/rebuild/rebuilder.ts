import { ServiceFault } from '@storekeep/common/errors'
import type { Queryable } from '@storekeep/common/postgres'
import type { Background } from '@storekeep/common/service'
import type { AppContext } from '../context.ts'
import { analyzeDocuments, createKeyIndex, dropDocuments } from '../db/document-table.ts'
import {
  beginGeneration,
  describeLive,
  failGeneration,
  hasJustFailed,
  lockGenerations,
  makeLive,
  selectLeftovers,
} from '../db/generation-repository.ts'
import { endLease, leaseRunning, noteChecked, noteProblem } from '../db/rebuild-repository.ts'
import { indexVersion } from '../domain/document-index.ts'
import { kinds } from '../kinds/index.ts'
import { fillGeneration } from './fill.ts'
import { createLoop } from './loop.ts'
import { verifyAll } from './verify.ts'

/**
 * Builds generations that were begun, in one process at a time; another goes on where a process died. Also begins one
 * by itself: on a system that has none (its records may be older than the events), and when the live one lacks a kind
 * of record or was made by another version of the rules.
 */
export function createRebuilder(ctx: AppContext): Background {
  return createLoop(ctx.log, 'the search index could not be built', everyMs, async (signal) => {
    await beginWhenNeeded(ctx)
    const generation = await leaseRunning(ctx.database, ctx.worker)
    if (generation !== undefined) await work(ctx, generation, signal)
    for (const leftover of await selectLeftovers(ctx.database)) await dropDocuments(ctx.bulk, leftover)
  })
}

const everyMs = 500
const keepLeaseMs = 4000
const maxFailures = 3

async function beginWhenNeeded({ database }: AppContext): Promise<void> {
  if ((await isLiveComplete(database)) || (await hasJustFailed(database))) return
  await database.transaction(async (tx) => {
    await lockGenerations(tx)
    // Another process may have made one live in between.
    if (await isLiveComplete(tx)) return
    await beginGeneration(
      tx,
      indexVersion,
      kinds.map(({ type }) => type),
    )
  })
}

async function isLiveComplete(db: Queryable): Promise<boolean> {
  const live = await describeLive(db)
  return live?.indexVersion === indexVersion && kinds.every(({ type }) => live.aggregates.includes(type))
}

async function work(ctx: AppContext, generation: string, stop: AbortSignal): Promise<void> {
  const lost = new AbortController()
  const timer = setInterval(() => void keepLease(ctx, generation, lost), keepLeaseMs)
  try {
    await build(ctx, generation, AbortSignal.any([stop, lost.signal]))
  } catch (error) {
    if (lost.signal.aborted) return
    await endLease(ctx.database, ctx.worker).catch(() => {})
    if (stop.aborted) return
    await note(ctx, generation, error)
    throw error
  } finally {
    clearInterval(timer)
  }
}

async function keepLease({ database, worker }: AppContext, generation: string, lost: AbortController): Promise<void> {
  try {
    if ((await leaseRunning(database, worker)) !== generation) lost.abort()
  } catch {
    // While the database is away nobody else can take it either.
  }
}

async function build(ctx: AppContext, generation: string, signal: AbortSignal): Promise<void> {
  await fillGeneration(ctx, generation, signal)
  // Both to their end, so that a next attempt finds neither under way.
  const [indexed, compared] = await Promise.allSettled([
    indexDocuments(ctx, generation),
    compareAll(ctx, generation, signal),
  ])
  if (indexed.status === 'rejected') throw indexed.reason
  if (compared.status === 'rejected') throw compared.reason
  const drifted = compared.value
  if (drifted > 0) await failGeneration(ctx.database, generation, `${drifted} documents differ from their owners.`)
  else await makeLive(ctx.database, generation)
}

async function indexDocuments({ bulk }: AppContext, generation: string): Promise<void> {
  await createKeyIndex(bulk, generation)
  await analyzeDocuments(bulk, generation)
}

/** @returns how many documents differ */
async function compareAll(ctx: AppContext, generation: string, signal: AbortSignal): Promise<number> {
  let drifted = 0
  for (const kind of kinds) {
    const verdict = await verifyAll(ctx, generation, kind, signal)
    await noteChecked(ctx.database, generation, kind.type, verdict)
    drifted += verdict.drifted
  }
  return drifted
}

/** An owner or a database that is away is waited for; anything else is tried some times. */
async function note({ database }: AppContext, generation: string, error: unknown): Promise<void> {
  const isOwnFailure = !(error instanceof ServiceFault && error.code === 'service-unavailable')
  const problem = error instanceof Error ? error.message : String(error)
  const failures = await noteProblem(database, generation, problem, { isOwnFailure }).catch(() => 0)
  if (failures >= maxFailures) await failGeneration(database, generation, problem)
}
