import { randomBytes } from 'node:crypto'
import { createLogger } from '@storekeep/common/log'
import { createRedis, type Redis } from '@storekeep/common/redis'
import { requireEnv } from '@storekeep/common/testing'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/routes/index.ts'
import { type RunningGateway, start } from '../src/start.ts'
import { expectDeclared } from './expect-declared.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { type Answer, createHttpClient, type HttpClient, type RequestInput } from './http-client.ts'
import { newApiKey, newId, newToken } from './ids.ts'

/**
 * The real gateway on a free port, on real Redis with keys of the file's own, in front of fake services. Every answer is
 * checked against what its endpoint declares.
 *
 * @param settings on top of those that are needed to start
 */
export function useGateway(settings: Record<string, string> = {}, { commandTimeoutMs = 2_000 } = {}): TestGateway {
  const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) }
  const logLines: string[] = []
  const log = createLogger({
    service: 'gateway',
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  })
  const keyPrefix = `gateway-test-${randomBytes(6).toString('hex')}:`
  const parts: Partial<Parts> = {}
  const part = <K extends keyof Parts>(name: K): Parts[K] => {
    const value = parts[name]
    if (value === undefined) throw new Error('The gateway has not been started yet.')
    return value as Parts[K]
  }

  beforeAll(async () => {
    const url = requireEnv('TEST_REDIS_URL')
    parts.services = await startFakeServices(log)
    parts.redis = createRedis({ url, keyPrefix, log })
    // Patient unless a test is about that: on a busy machine 50 ms pass without a fault.
    const redis = createRedis({ url: settings.REDIS_URL ?? url, keyPrefix, commandTimeoutMs, log })
    await vi.waitFor(() => expect([part('redis'), redis].every((one) => one.isReady())).toBe(true), 5000)
    const config = readConfig({
      PORT: '0',
      ...part('services').addressSettings,
      REDIS_URL: url,
      REDIS_KEY_PREFIX: keyPrefix,
      ...settings,
    })
    const heard = { message: false }
    parts.running = await start(config, { log, clock, redis: { ...redis, subscribe: subscribeAnd(redis, heard) } })
    // Once it listens, nothing is missed or dropped any more that a test does not ask for.
    await vi.waitFor(async () => {
      await part('redis').publish('api-key-revoked', '0')
      expect(heard.message).toBe(true)
    }, 5000)
    parts.http = createHttpClient(part('running').port)
  })
  afterEach(() => {
    const services = part('services')
    for (const name of Object.keys(services.answers)) delete services.answers[name as keyof typeof services.answers]
    services.calls.length = 0
    clock.ahead = 0
  })
  afterAll(async () => {
    parts.http?.close()
    await parts.running?.stop()
    await parts.services?.close()
    await parts.redis?.close()
  })

  async function request(method: string, path: string, input?: RequestInput): Promise<Answer> {
    const answer = await part('http').request(method, path, input)
    expectDeclared(answer)
    return answer
  }

  return {
    logLines,
    clock,
    request,
    get services() {
      return part('services')
    },
    get redis() {
      return part('redis')
    },
    get running() {
      return part('running')
    },
    newStore(scopes = allScopes) {
      const [id, keyId, apiKey] = [newId(), newId(), newApiKey()]
      part('services').apiKeys.set(apiKey, { keyId, storeId: id, scopes })
      const authorization = `APIKey ${apiKey}`
      return {
        id,
        keyId,
        apiKey,
        send: (method, path, input = {}) =>
          request(method, `/v1/stores/${id}${path}`, { ...input, headers: { authorization, ...input.headers } }),
        shop: (method, path, input = {}) =>
          request(method, `/v1/store${path}`, { ...input, headers: { 'x-service-store-id': id, ...input.headers } }),
        signIn() {
          const customerId = newId()
          const token = newToken({ storeId: id, customerId })
          part('services').tokens.set(token, { storeId: id, customerId })
          return { customerId, token, authorization: `Customer ${token}` }
        },
      }
    },
  }
}

function subscribeAnd(redis: Redis, heard: { message: boolean }): Redis['subscribe'] {
  return (channel, onMessage, onGap) => {
    const note = (message: string) => {
      heard.message = true
      onMessage(message)
    }
    redis.subscribe(channel, note, onGap)
  }
}

const allScopes = [...new Set(endpoints.flatMap(({ scope }) => scope ?? []))]

/** A request that the endpoint answers with success: its own example, in this store. */
export function exampleRequest(
  endpoint: Endpoint,
  store: TestStore,
): { method: string; path: string; input: RequestInput } {
  const path = endpoint.path.replace('{storeId}', store.id).replace(/\{\w+\}/g, () => newId())
  const isManagement = endpoint.auth === 'api-key'
  const authorization = isManagement ? `APIKey ${store.apiKey}` : store.signIn().authorization
  return {
    method: endpoint.method.toUpperCase(),
    path,
    input: {
      headers: { authorization, ...(!isManagement && { 'x-service-store-id': store.id }) },
      ...(endpoint.bodyExample !== undefined && { json: endpoint.bodyExample }),
    },
  }
}

/** "path validation" of every item of an error. */
export function itemsOf({ body }: Answer): string[] {
  const { errors } = body as { errors: { path: string; validation: string }[] | null }
  return (errors ?? []).map(({ path, validation }) => `${path} ${validation}`)
}

export interface TestGateway {
  services: FakeServices
  /** On the gateway's own keys. */
  redis: Redis
  running: RunningGateway
  clock: { ahead: number }
  logLines: string[]
  request(method: string, path: string, input?: RequestInput): Promise<Answer>
  /** A store with a key of its own. */
  newStore(scopes?: string[]): TestStore
}

export interface TestStore {
  id: string
  keyId: string
  apiKey: string
  /** Below the store, with its key. */
  send(method: string, path: string, input?: RequestInput): Promise<Answer>
  /** On the storefront, with its store header. */
  shop(method: string, path: string, input?: RequestInput): Promise<Answer>
  signIn(): { customerId: string; token: string; authorization: string }
}

interface Parts {
  services: FakeServices
  redis: Redis
  running: RunningGateway
  http: HttpClient
}
