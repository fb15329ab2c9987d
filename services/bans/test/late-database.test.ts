import { createClient } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import {
  createTestTransport,
  faultOf,
  isPublished,
  requireEnv,
  startTcpProxy,
  useServerProxies,
  withApiKey,
} from '@storekeep/common/testing'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { expect, it, onTestFinished } from 'vitest'
import { bans as service } from '../src/service.ts'
import { createTestBan, inStore, newIdentity, useBans } from './harness.ts'

const servers = useServerProxies()
const bans = useBans(servers.between)

/** Starts a replica without migrations while it reaches neither Postgres nor NATS. */
async function startEarly(cell: number) {
  const { config } = bans
  const lines: string[] = []
  const log = createLogger({ service: 'bans', level: 'info', destination: { write: (line) => void lines.push(line) } })
  const postgres = await startTcpProxy(config.database.url)
  const nats = await startTcpProxy(requireEnv('TEST_NATS_URL'))
  postgres.cut()
  nats.cut()
  const database = { ...config.database, url: postgres.url, migrate: false }
  const running = await service.start(
    { ...config, cell, database, nats: { ...config.nats, url: nats.url } },
    { log, timeLimitFactor: 10 },
  )
  const transport = createTestTransport('bans', running.address)
  onTestFinished(async () => {
    transport.close()
    await running.stop()
    await postgres.close()
    await nats.close()
  })
  const read = async (path: string) => await fetch(`http://127.0.0.1:${running.metricsPort}/${path}`)
  return {
    postgres,
    nats,
    notReady: () => lines.filter((line) => line.includes('not ready')),
    client: createClient(BansService, transport),
    readyz: async () => (await read('readyz')).status,
    isOnNats: async () => /^nats_connected.* 1$/m.test(await (await read('metrics')).text()),
  }
}

/** Creates an event that the running service cannot publish. */
async function createWaitingEvent(): Promise<string> {
  servers.nats.cut()
  const { id } = await createTestBan(bans, inStore())
  return id
}

it('a process that started before its database serves and publishes once the database is there', async () => {
  const early = await startEarly(0)
  expect(await early.readyz()).toBe(503)
  expect(early.notReady().join('')).toContain('"cause":{')
  const event = await createWaitingEvent()
  early.postgres.pass()
  early.nats.pass()
  await expect.poll(early.readyz, { timeout: 60_000 }).toBe(200)
  await early.client.createBan({ ban: { identities: [newIdentity()] } }, inStore())
  await expect.poll(() => isPublished(bans, event), { timeout: 60_000 }).toBe(true)
})

it('a process that started before its database uses nothing of it if it belongs to another cell', async () => {
  const early = await startEarly(1)
  const event = await createWaitingEvent()
  early.postgres.pass()
  await expect.poll(early.readyz, { timeout: 60_000 }).toBe(503)
  // On connecting, a relay publishes what is waiting.
  early.nats.pass()
  await expect.poll(early.isOnNats, { timeout: 60_000 }).toBe(true)
  for (let n = 0; n < 20; n += 1) expect(await early.readyz()).toBe(503)
  expect(await isPublished(bans, event)).toBe(false)
  const storeOfCell1 = String((1_234n << 22n) | (1n << 16n) | (1n << 12n))
  const create = early.client.createBan({ ban: { identities: [newIdentity()] } }, withApiKey(storeOfCell1))
  expect(await faultOf(create)).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
  expect(early.notReady().filter((line) => line.includes('created for cell 0'))).toHaveLength(1)
})
