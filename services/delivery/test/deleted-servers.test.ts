import { faultOf, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { emptyQueues } from '../src/queue/tasks/maintenance.ts'
import { createTestServer, useDelivery } from './harness.ts'
import { attemptsOf, poll, queue } from './queue-harness.ts'

const delivery = useDelivery()

describe('the commands of a deleted server', () => {
  it('are unqueued, and none is queued later', async () => {
    const server = await createTestServer(delivery)
    await queue(delivery, server, [{}, { missingPlaceholders: ['customer.name'] }])
    await delivery.client.deleteGameServer({ gameServerId: server.gameServerId }, server.options)
    expect(await queue(delivery, server, [{}])).toEqual([])
    expect((await attemptsOf(delivery, server)).map(({ state }) => state)).toEqual(['unqueued', 'unqueued'])
    expect(await faultOf(poll(delivery, server))).toMatchObject({ code: 'unauthorized' })
  })

  it('are not queued by a transaction that runs at the same time', async () => {
    const server = await createTestServer(delivery)
    const results = await Promise.all([
      ...Array.from({ length: 8 }, () => queue(delivery, server, [{}])),
      delivery.client.deleteGameServer({ gameServerId: server.gameServerId }, server.options),
      ...Array.from({ length: 8 }, () => queue(delivery, server, [{}])),
    ])
    expect(results).toHaveLength(17)
    const states = (await attemptsOf(delivery, server)).map(({ state }) => state)
    expect(states.filter((state) => state !== 'unqueued')).toEqual([])
  })

  it('are unqueued by the sweep if there are more than the deletion unqueues', async () => {
    const server = await createTestServer(delivery)
    for (let n = 0; n < 3; n += 1) {
      const commands = Array.from({ length: 500 }, () => ({ itemId: randomId() }))
      await queue(delivery, server, commands)
    }
    await delivery.client.deleteGameServer({ gameServerId: server.gameServerId }, server.options)
    const pending = async () => (await attemptsOf(delivery, server)).filter(({ state }) => state === 'pending').length
    expect(await pending()).toBe(500)
    await emptyQueues(delivery)
    expect(await pending()).toBe(0)
  })

  it('leave no queue a minute after its last change, which every replica has read by then', async () => {
    const server = await createTestServer(delivery)
    await delivery.client.deleteGameServer({ gameServerId: server.gameServerId }, server.options)
    const ofServer = sql`store_id = ${server.storeId} and game_server_id = ${server.gameServerId}`
    const queues = async () => {
      await emptyQueues(delivery)
      return await delivery.database.query(sql`select from command_queue where ${ofServer}`)
    }
    expect(await queues()).toHaveLength(1)
    const earlier = sql`changed_at - interval '1 minute'`
    await delivery.database.query(sql`update command_queue set changed_at = ${earlier} where ${ofServer}`)
    expect(await queues()).toEqual([])
  })
})
