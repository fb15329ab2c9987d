import { Client, credentials, status } from '@grpc/grpc-js'
import { expect, it, vi } from 'vitest'
import { closers } from '../../test/grpc-harness.ts'
import { testIdentity } from '../../testing/test-identity.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { createGrpcServer } from './index.ts'

const serving = Buffer.from([8, 1])
const notServing = Buffer.from([8, 2])
/** HealthCheckRequest with the service "stores". */
const ofOneService = Buffer.concat([Buffer.from([10, 6]), Buffer.from('stores')])

it('a health check returns whether the process is ready, and NOT_FOUND for a single service', async () => {
  let isReady = false
  const server = createGrpcServer({
    identity: testIdentity('stores'),
    services: [],
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => isReady,
  })
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
  closers.push(() => server.stop(1000))
  const client = new Client(address, credentials.createInsecure())
  closers.push(() => client.close())
  const same = (bytes: Buffer) => bytes
  const check = (request = Buffer.alloc(0)) =>
    new Promise((resolve, reject) =>
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', same, same, request, (error, response) =>
        error ? reject(error) : resolve(response),
      ),
    )
  expect(await check()).toEqual(notServing)
  isReady = true
  await vi.waitFor(async () => expect(await check()).toEqual(serving), { timeout: 60_000 })
  await expect(check(ofOneService)).rejects.toMatchObject({ code: status.NOT_FOUND })
})
