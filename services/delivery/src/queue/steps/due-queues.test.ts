import type { Database } from '@storekeep/common/postgres'
import { describe, expect, it } from 'vitest'
import type { QueueTimes } from '../db/due-repository.ts'
import { createDueQueues } from './due-queues.ts'

const start = 1_795_000_000_000_000
const noPlayers = { steamIds: [], minecraftUuids: [] }

/** A database and a process with the same clock, and the rows that the next read sees. */
function aDatabase() {
  let monotonicMs = 0
  const rows = new Map<string, QueueTimes>()
  const now = () => start + monotonicMs * 1000
  const query = async (statement: { text: string; values: unknown[] }) => {
    const [since] = statement.values as [number]
    const isFull = statement.text.includes('next_due_at is not null')
    const visible = [...rows.values()].filter(({ changedAt }) => isFull || changedAt > since)
    const found = visible.map((row) => ({ ...row, databaseTime: now() }))
    return found.length > 0 ? found : [{ gameServerId: null, databaseTime: now() }]
  }
  return {
    database: { query } as unknown as Pick<Database, 'query'>,
    clock: { monotonicMs: () => monotonicMs },
    onRead: () => {},
    now,
    advance: (ms: number) => {
      monotonicMs += ms
    },
    commit: (row: Partial<QueueTimes> & { changedAt: number }) =>
      rows.set('1', { gameServerId: '1', dueAt: null, onlineDueAt: null, ...row }),
  }
}

describe('the queues that a process knows', () => {
  it('are unknown before the first read, and when the last one is more than 5 s old', async () => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    expect(queues.view('1')).toEqual({ isKnown: false })
    await queues.refresh()
    test.advance(5000)
    expect(queues.view('1')).toMatchObject({ isKnown: true, isDue: false })
    test.advance(1)
    expect(queues.view('1')).toEqual({ isKnown: false })
    await queues.refresh()
    expect(queues.view('1')).toMatchObject({ isKnown: true })
  })

  it('are due at their time, by the clock of the database', async () => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    test.commit({ dueAt: test.now() + 2_000_000, onlineDueAt: test.now() + 1_000_000, changedAt: test.now() })
    await queues.refresh()
    expect(queues.view('1')).toMatchObject({ isDue: false, isOnlineDue: false, nextInMs: 1000 })
    test.advance(1000)
    expect(queues.view('1')).toMatchObject({ isDue: false, isOnlineDue: true, nextInMs: 1000 })
    test.advance(1000)
    expect(queues.view('1')).toMatchObject({ isDue: true, isOnlineDue: true })
  })

  it.each([
    [4000, 200],
    [6000, 60_000],
  ])('include a change that was committed %i ms after its time, within %i ms', async (delayMs, withinMs) => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    await queues.refresh()
    const changedAt = test.now()
    for (let passed = 0; passed < delayMs; passed += 200) {
      test.advance(200)
      await queues.refresh()
    }
    test.commit({ dueAt: changedAt, changedAt })
    let passed = 0
    while (passed < withinMs) {
      passed += 200
      test.advance(200)
      await queues.refresh()
      const view = queues.view('1')
      if (view.isKnown && view.isDue) break
    }
    expect(queues.view('1')).toMatchObject({ isDue: true })
  })

  it('are not replaced by a read that is older than what this process has computed', async () => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    test.commit({ dueAt: start, changedAt: start + 1 })
    await queues.refresh()
    queues.remember({ gameServerId: '1', dueAt: null, onlineDueAt: null, changedAt: start + 2 })
    await queues.refresh()
    expect(queues.view('1')).toMatchObject({ isDue: false })
  })

  it('remember absent players until the queue changes, another one joins, or their command becomes available', async () => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    const players = { ...noPlayers, names: ['robin', 'kim'] }
    test.commit({ onlineDueAt: start, changedAt: start + 1 })
    await queues.refresh()
    expect(queues.isAbsent('1', players)).toBe(false)
    queues.rememberAbsent('1', players, { changedAt: start + 1, nextAt: start + 3_000_000 })
    expect(queues.isAbsent('1', players)).toBe(true)
    expect(queues.isAbsent('1', { ...noPlayers, names: ['kim'] })).toBe(true)
    expect(queues.isAbsent('1', { ...noPlayers, names: ['kim', 'notch'] })).toBe(false)
    test.advance(3000)
    expect(queues.isAbsent('1', players)).toBe(false)
    queues.rememberAbsent('1', players, { changedAt: start + 1, nextAt: null })
    expect(queues.isAbsent('1', players)).toBe(true)
    test.commit({ onlineDueAt: start, changedAt: start + 2 })
    await queues.refresh()
    expect(queues.isAbsent('1', players)).toBe(false)
    // What was found before the change says nothing about the queue after it.
    queues.rememberAbsent('1', players, { changedAt: start + 1, nextAt: null })
    expect(queues.isAbsent('1', players)).toBe(false)
  })

  it('wake the polls that wait for their change, and all of them when the process stops', async () => {
    const test = aDatabase()
    const queues = createDueQueues(test)
    const { signal } = new AbortController()
    await queues.refresh()
    const waiting = queues.wait('1', 3_600_000, signal)
    test.commit({ dueAt: start, changedAt: start + 1 })
    await queues.refresh()
    await waiting
    const others = [queues.wait('1', 3_600_000, signal), queues.wait('2', 3_600_000, signal)]
    queues.stop()
    await Promise.all([...others, queues.wait('3', 3_600_000, signal)])
    expect(queues.isStopped()).toBe(true)
  })
})
