import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { useFakeService } from '@storekeep/common/testing'
import { type RebuildSchema, RebuildState, SearchService } from '@storekeep/proto/search/v1/search_service'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

type RebuildInput = MessageInitShape<typeof RebuildSchema>

const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 10, 20, 12, 0, second)))
const part = (filled: number, drifted = 0) => ({
  aggregate: 'customer',
  filled: BigInt(filled),
  checked: BigInt(filled),
  drifted: BigInt(drifted),
})
const running: RebuildInput = { id: '3', state: RebuildState.RUNNING, startedAt: at(0), parts: [part(0)] }

/** What successive GetRebuild calls return; the last one repeats. */
let rebuilds: RebuildInput[] = []
let drifted = 0n
const search = useFakeService(SearchService, {
  startRebuild: async () => ({ rebuild: running }),
  getRebuild: async ({ rebuildId }) => {
    if (rebuildId !== '3') throw errors.notFound('rebuild')
    return { rebuild: rebuilds.length > 1 ? (rebuilds.shift() ?? running) : (rebuilds[0] ?? running) }
  },
  verifyRecords: async ({ aggregate, after }) => {
    if (aggregate !== 'customer') return { checked: 1n }
    return after ? { checked: 5n, drifted } : { checked: 10_000n, last: { storeId: '1', id: '2' } }
  },
})

const admin = (...args: string[]) => run(args, () => ({ search: search.address }))

describe('rebuild-search', () => {
  it('prints the progress, the throughput and the comparison', async () => {
    rebuilds = [
      { ...running, parts: [part(40)] },
      { ...running, parts: [part(40)], problem: 'NATS is unreachable' },
      { ...running, parts: [part(100)], filledAt: at(10) },
      { ...running, state: RebuildState.LIVE, parts: [part(100)], filledAt: at(10), finishedAt: at(20) },
    ]
    const { code, stdout, stderr } = await admin('rebuild-search')
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      '0 records read',
      '40 records read',
      '40 records read; waiting: NATS is unreachable',
      '100 records read; indexing and comparing them',
      'in use',
    ])
    expect(stdout).toMatch(/^customer +100 +100 +0 +equal$/m)
    expect(stdout).toContain(
      '100 records were read in 10.0 s (10 per second) and searchable after 20.0 s (5 per second).',
    )
  })

  it('fails when the new index differs from its owners', async () => {
    rebuilds = [{ ...running, state: RebuildState.FAILED, parts: [part(9, 2)], problem: '2 documents differ.' }]
    const { code, stdout, stderr } = await admin('rebuild-search', '--json')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The rebuild failed; searches still use the old index. 2 documents differ.')
  })
})

describe('verify-search', () => {
  it('compares all pages of every kind of record', async () => {
    drifted = 0n
    const { code, stdout } = await admin('verify-search', '--json')
    expect(code).toBe(0)
    const records = JSON.parse(stdout)
    expect(records).toHaveLength(10)
    expect(records[0]).toEqual({ records: 'customer', compared: 10_005, different: 0, verdict: 'equal' })
  })

  it('fails when documents differ from their owners', async () => {
    drifted = 3n
    const { code, stdout, stderr } = await admin('verify-search')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('customer: 10005 compared, 3 different')
    expect(stderr).toContain("3 documents differ from their owners' records. Run rebuild-search to rebuild the index.")
  })
})
