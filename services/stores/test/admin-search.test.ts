import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { type Exit, useFakeService } from '@storekeep/common/testing'
import { type RebuildSchema, RebuildState, SearchService } from '@storekeep/proto/search/v1/search_service'
import { describe, expect, it } from 'vitest'
import { readInvocation } from '../src/admin/config.ts'
import { runAdmin } from '../src/admin/run.ts'

type RebuildInput = MessageInitShape<typeof RebuildSchema>

const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 10, 20, 12, 0, second)))
const part = (filled: number, drifted = 0) => ({
  aggregate: 'customer',
  filled: BigInt(filled),
  checked: BigInt(filled),
  drifted: BigInt(drifted),
})
const running: RebuildInput = { id: '3', state: RebuildState.RUNNING, startedAt: at(0), parts: [part(0)] }

/** What the service answers to one look after the other; the last answer stays. */
let looks: RebuildInput[] = []
let drifted = 0n
const search = useFakeService(SearchService, {
  startRebuild: async () => ({ rebuild: running }),
  getRebuild: async ({ rebuildId }) => {
    if (rebuildId !== '3') throw errors.notFound('rebuild')
    return { rebuild: looks.length > 1 ? (looks.shift() ?? running) : (looks[0] ?? running) }
  },
  verifyRecords: async ({ aggregate, after }) => {
    if (aggregate !== 'customer') return { checked: 1n }
    return after ? { checked: 5n, drifted } : { checked: 10_000n, last: { storeId: '1', id: '2' } }
  },
})

const unreachable = '127.0.0.1:1'
const nowhere = { stores: unreachable, customers: unreachable, coupons: unreachable, checkout: unreachable }

async function admin(...args: string[]): Promise<Exit> {
  let [stdout, stderr] = ['', '']
  const config = () => ({ ...nowhere, search: search.address, tls: undefined })
  const out = (text: string) => {
    stdout += text
  }
  const err = (text: string) => {
    stderr += text
  }
  return { code: await runAdmin(args, { config, invocation: readInvocation({}), out, err }), stdout, stderr }
}

describe('rebuild-search', () => {
  it('tells how far it is, how fast it was and that both are equal', async () => {
    looks = [
      { ...running, parts: [part(40)] },
      { ...running, parts: [part(40)], problem: 'away' },
      { ...running, parts: [part(100)], filledAt: at(10) },
      { ...running, state: RebuildState.LIVE, parts: [part(100)], filledAt: at(10), finishedAt: at(20) },
    ]
    const { code, stdout, stderr } = await admin('rebuild-search')
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      '0 records read',
      '40 records read',
      '40 records read; waiting: away',
      '100 records read; indexing and comparing them',
      'in use',
    ])
    expect(stdout).toMatch(/^customer +100 +100 +0 +equal$/m)
    expect(stdout).toContain(
      '100 records were read in 10.0 s (10 per second) and searchable after 20.0 s (5 per second).',
    )
  })

  it('fails when the new index is not like its owners', async () => {
    looks = [{ ...running, state: RebuildState.FAILED, parts: [part(9, 2)], problem: '2 documents differ.' }]
    const { code, stdout, stderr } = await admin('rebuild-search', '--json')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The rebuild failed, and searches use the old index. 2 documents differ.')
  })
})

describe('verify-search', () => {
  it('compares every kind of record to its end', async () => {
    drifted = 0n
    const { code, stdout } = await admin('verify-search', '--json')
    expect(code).toBe(0)
    const records = JSON.parse(stdout)
    expect(records).toHaveLength(7)
    expect(records[0]).toEqual({ records: 'customer', compared: 10_005, different: 0, verdict: 'equal' })
  })

  it('fails when documents differ from their owner', async () => {
    drifted = 3n
    const { code, stdout, stderr } = await admin('verify-search')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('customer: 10005 compared, 3 different')
    expect(stderr).toContain('3 documents differ from their owners. rebuild-search makes the index anew.')
  })
})
