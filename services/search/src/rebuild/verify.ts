import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, type Position } from '../adapters/owners.ts'
import type { AppContext } from '../context.ts'
import { type DocumentRange, type StoreSum, selectVersions, sumDocuments } from '../db/check-repository.ts'
import type { Kind } from '../kinds/index.ts'

/** What a comparison of a part of the index with its owner found. */
export interface Verdict {
  /** Records of the owner. */
  checked: number
  /** Documents that are missing, superfluous or of another version, and stayed so. */
  drifted: number
  /** Where the part ends; undefined at the end of all records. */
  last: Position | undefined
}

/**
 * Compares the documents of one kind that follow a place with their owner: by count and checksum first, and where
 * these differ, version by version. A difference is drift only when it stays: what is on its way arrives meanwhile.
 */
export async function verifyRange(
  { owners, database }: Pick<AppContext, 'owners' | 'database'>,
  generation: string,
  kind: Kind,
  after: Position = beforeAll,
  patienceMs = defaultPatienceMs,
): Promise<Verdict> {
  const { sums, last } = await owners.sumRecords(kind, after, rangeSize)
  const range: DocumentRange = { generation, type: kind.type, after, last }
  const checked = Number(sums.reduce((all, { count }) => all + count, 0n))
  const theirs = sums.map(({ storeId, count, checksum }) => `${storeId} ${count} ${checksum}`)
  const ours = (await sumDocuments(database.scans, range)).map(sumText)
  const drifted = theirs.join() === ours.join() ? 0 : await countDrifted({ owners, database }, kind, range, patienceMs)
  return { checked, drifted, last: last && { storeId: last.storeId, id: last.id } }
}

/**
 * Compares all documents of one kind.
 * @param isOver asked between two parts; true ends it with an error
 * @param patienceMs how long a difference has to stay
 */
export async function verifyAll(
  ctx: Pick<AppContext, 'owners' | 'database'>,
  generation: string,
  kind: Kind,
  isOver: () => boolean,
  patienceMs = defaultPatienceMs,
): Promise<{ checked: number; drifted: number }> {
  const total = { checked: 0, drifted: 0 }
  for (let after: Position | undefined = beforeAll; after; ) {
    if (isOver()) throw new Error('The comparison was interrupted.')
    const verdict: Verdict = await verifyRange(ctx, generation, kind, after, patienceMs)
    total.checked += verdict.checked
    total.drifted += verdict.drifted
    after = verdict.last
  }
  return total
}

const rangeSize = 10_000
const defaultPatienceMs = 15_000
const pauseMs = 250

type Sources = Pick<AppContext, 'owners' | 'database'>

function sumText({ storeId, count, checksum }: StoreSum): string {
  return `${storeId} ${count} ${checksum}`
}

/** A record that was equal once has arrived; only those that never were remain. */
async function countDrifted(sources: Sources, kind: Kind, range: DocumentRange, patienceMs: number): Promise<number> {
  const deadline = performance.now() + patienceMs
  let remaining = await differences(sources, kind, range)
  while (remaining.size > 0 && performance.now() < deadline) {
    await pause(pauseMs)
    const now = await differences(sources, kind, range)
    remaining = new Set([...remaining].filter((place) => now.has(place)))
  }
  return remaining.size
}

/** Places of the records whose version is not the same on both sides. */
async function differences({ owners, database }: Sources, kind: Kind, range: DocumentRange): Promise<Set<string>> {
  const theirs = new Map<string, string>()
  for (let after: Position | undefined = range.after; after; ) {
    const { records, more } = await owners.exportRecords(kind, after, 1000)
    const inside = records.filter((record) => !isBehind(record, range.last))
    for (const { storeId, id, version } of inside) theirs.set(`${storeId} ${id}`, version.toString())
    const end = inside.at(-1)
    after = more && end && inside.length === records.length ? { storeId: end.storeId, id: end.id } : undefined
  }
  const ours = await selectVersions(database.scans, range)
  const places = new Set([...theirs.keys(), ...ours.keys()])
  return new Set([...places].filter((place) => theirs.get(place) !== ours.get(place)))
}

function isBehind({ storeId, id }: Position, last: Position | undefined): boolean {
  if (!last) return false
  const [store, lastStore] = [BigInt(storeId), BigInt(last.storeId)]
  return store === lastStore ? BigInt(id) > BigInt(last.id) : store > lastStore
}
