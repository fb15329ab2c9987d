import { setTimeout as pause } from 'node:timers/promises'
import { firstPosition, type Position } from '../../adapters/owners.ts'
import type { AppContext } from '../../context.ts'
import type { RecordType } from '../../documents/mappers/record-types/index.ts'
import { type DocumentRange, type StoreSum, selectVersions, sumDocuments } from '../db/verify-repository.ts'

/** The result of verifying a range of the index. */
export interface Verification {
  /** Number of records of the owner. */
  checked: number
  /** Number of documents that persistently are missing, superfluous or of another version. */
  drifted: number
  /** The end of the range; undefined after the last record. */
  last: Position | undefined
}

export interface VerificationOptions {
  /** True ends the verification with an error. Checked for each range, and while a difference persists. */
  isCanceled?: () => boolean
  /** How long a difference must persist to count as drift. */
  patienceMs?: number
}

/**
 * Compares the documents of one type after a position with their owner: first by count and checksum, then, where these
 * differ, version by version. Only persistent differences are drift: events in transit resolve the others.
 */
export async function verifyRange(
  { owners, database }: Sources,
  generation: string,
  recordType: RecordType,
  after: Position = firstPosition,
  options: VerificationOptions = {},
): Promise<Verification> {
  const { sums, last } = await owners.sumRecords(recordType, after, rangeSize)
  const range: DocumentRange = { generation, type: recordType.type, after, last }
  const checked = Number(sums.reduce((all, { count }) => all + count, 0n))
  const theirs = sums.map(({ storeId, count, checksum }) => `${storeId} ${count} ${checksum}`)
  const ours = (await sumDocuments(database.scans(), range)).map(sumText)
  const drifted =
    theirs.join() === ours.join() ? 0 : await countDrifted({ owners, database }, recordType, range, options)
  return { checked, drifted, last: last && { storeId: last.storeId, id: last.id } }
}

/** Verifies all documents of one type. */
export async function verifyAll(
  ctx: Sources,
  generation: string,
  recordType: RecordType,
  options: VerificationOptions,
): Promise<{ checked: number; drifted: number }> {
  const total = { checked: 0, drifted: 0 }
  for (let after: Position | undefined = firstPosition; after; ) {
    throwIfCanceled(options)
    const part: Verification = await verifyRange(ctx, generation, recordType, after, options)
    total.checked += part.checked
    total.drifted += part.drifted
    after = part.last
  }
  return total
}

const rangeSize = 10_000
const defaultPatienceMs = 15_000
const pauseMs = 250

type Sources = Pick<AppContext, 'owners' | 'database'>

function throwIfCanceled({ isCanceled }: VerificationOptions): void {
  if (isCanceled?.()) throw new Error('The verification was interrupted.')
}

function sumText({ storeId, count, checksum }: StoreSum): string {
  return `${storeId} ${count} ${checksum}`
}

/** Polls until every record was equal at least once, or the time is up. */
async function countDrifted(
  sources: Sources,
  recordType: RecordType,
  range: DocumentRange,
  options: VerificationOptions,
): Promise<number> {
  const deadline = performance.now() + (options.patienceMs ?? defaultPatienceMs)
  let remaining = await differences(sources, recordType, range)
  while (remaining.size > 0 && performance.now() < deadline) {
    throwIfCanceled(options)
    await pause(pauseMs)
    const now = await differences(sources, recordType, range)
    remaining = new Set([...remaining].filter((position) => now.has(position)))
  }
  return remaining.size
}

/** The positions of the records whose versions differ between owner and index. */
async function differences(
  { owners, database }: Sources,
  recordType: RecordType,
  range: DocumentRange,
): Promise<Set<string>> {
  const theirs = new Map<string, string>()
  for (let after: Position | undefined = range.after; after; ) {
    const { records, more } = await owners.exportRecords(recordType, after, 1000)
    const inside = records.filter((record) => !isAfter(record, range.last))
    for (const { storeId, id, version } of inside) theirs.set(`${storeId} ${id}`, version.toString())
    const end = inside.at(-1)
    after = more && end && inside.length === records.length ? { storeId: end.storeId, id: end.id } : undefined
  }
  const ours = await selectVersions(database.scans(), range)
  const positions = new Set([...theirs.keys(), ...ours.keys()])
  return new Set([...positions].filter((position) => theirs.get(position) !== ours.get(position)))
}

function isAfter({ storeId, id }: Position, last: Position | undefined): boolean {
  if (!last) return false
  const [store, lastStore] = [BigInt(storeId), BigInt(last.storeId)]
  return store === lastStore ? BigInt(id) > BigInt(last.id) : store > lastStore
}
