import type { Database } from '@storekeep/common/postgres'
import { faultOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTokenEpochs } from './token-epochs.ts'

const server = { storeId: '1', gameServerId: '7' }

/** A server whose token has the epoch 1, and a process that has just read the queues. */
function aProcess() {
  let now = 100_000
  const state = { epoch: '1' as string | undefined, changedAt: 1, lookups: 0, response: Promise.resolve() }
  const query = async ({ text }: { text: string }) => {
    if (!text.includes('token_epoch')) {
      state.changedAt += 1
      return []
    }
    const { epoch, changedAt, response } = state
    state.lookups += 1
    await response
    return epoch === undefined ? [] : [{ epoch, changedAt }]
  }
  const epochs = createTokenEpochs({
    database: { query } as unknown as Pick<Database, 'query'>,
    clock: { monotonicMs: () => now },
    waitMs: 0,
  })
  const read = () => epochs.applyRead(now, [{ gameServerId: '7', changedAt: state.changedAt }])
  read()
  return {
    state,
    read,
    epochs,
    advance(ms: number) {
      now += ms
    },
  }
}

describe('a token that was looked up', () => {
  it('needs no further lookup while reads begin every second', async () => {
    const { epochs, state, advance, read } = aProcess()
    for (let n = 0; n < 10; n += 1) {
      await epochs.requireCurrent(server, 1n)
      advance(1000)
      await epochs.requireCurrent(server, 1n)
      read()
    }
    expect(state.lookups).toBe(1)
  })

  it('is looked up again if the last read began more than a second ago', async () => {
    const { epochs, state, advance } = aProcess()
    await epochs.requireCurrent(server, 1n)
    state.epoch = '2'
    advance(1000)
    // The replica cannot know of the change yet, which is why `outdate` waits (control).
    await epochs.requireCurrent(server, 1n)
    advance(1)
    expect(await faultOf(epochs.requireCurrent(server, 1n))).toMatchObject({ code: 'unauthorized' })
  })

  it('is looked up again after each change of its queue', async () => {
    const { epochs, state, read } = aProcess()
    await epochs.requireCurrent(server, 1n)
    state.epoch = undefined
    await epochs.outdate(server)
    read()
    expect(await faultOf(epochs.requireCurrent(server, 1n))).toMatchObject({ code: 'unauthorized' })
  })

  it('is not remembered if its queue has changed during the lookup', async () => {
    const { epochs, state, read } = aProcess()
    const { promise, resolve } = Promise.withResolvers<void>()
    state.response = promise
    const slow = epochs.requireCurrent(server, 1n)
    state.epoch = '2'
    await epochs.outdate(server)
    read()
    resolve()
    await slow
    expect(await faultOf(epochs.requireCurrent(server, 1n))).toMatchObject({ code: 'unauthorized' })
  })

  it('is forgotten if there was no read for so long that the queue of its deleted server may be gone', async () => {
    const { epochs, state, advance } = aProcess()
    await epochs.requireCurrent(server, 1n)
    state.epoch = undefined
    advance(30_001)
    epochs.applyRead(130_001, [])
    expect(await faultOf(epochs.requireCurrent(server, 1n))).toMatchObject({ code: 'unauthorized' })
  })
})
