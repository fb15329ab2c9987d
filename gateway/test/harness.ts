import { randomBytes } from 'node:crypto'
import { systemClock } from '@storekeep/common/clock'
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
import { createHttpClient, type HttpClient, type HttpResponse, type RequestInput } from './http-client.ts'
import { newApiKey, newGameServerToken, newId, newToken } from './ids.ts'

/**
 * A real gateway on a free port, with a real Redis, a separate key prefix, and fake services. Checks every response
 * against the declaration of its endpoint.
 *
 * @param settings in addition to the required ones
 * @param options.keyPrefix of Redis; gateways with the same one are replicas
 */
export function useGateway(
  settings: Record<string, string> = {},
  { commandTimeoutMs = 2_000, keyPrefix = newKeyPrefix() } = {},
): TestGateway {
  const clock = {
    ahead: 0,
    now: () => new Date(systemClock.now().getTime() + clock.ahead),
    stoppedAt: undefined as number | undefined,
    monotonicMs: () => (clock.stoppedAt ?? systemClock.monotonicMs()) + clock.ahead,
    stop: () => {
      clock.stoppedAt = systemClock.monotonicMs()
    },
  }
  const logLines: string[] = []
  const log = createLogger({
    service: 'gateway',
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  })
  const parts: Partial<Parts> = {}
  const heard = { last: '' }
  const part = <K extends keyof Parts>(name: K): Parts[K] => {
    const value = parts[name]
    if (value === undefined) throw new Error('The gateway has not been started yet.')
    return value as Parts[K]
  }

  beforeAll(async () => {
    const url = requireEnv('TEST_REDIS_URL')
    parts.services = await startFakeServices(log)
    parts.redis = createRedis({ url, keyPrefix, log })
    // The default of 50 ms is too short for a busy machine.
    const redis = createRedis({ url: settings.REDIS_URL ?? url, keyPrefix, commandTimeoutMs, log })
    await vi.waitFor(() => expect([part('redis'), redis].every((one) => one.isReady())).toBe(true), 30_000)
    const config = readConfig({
      PORT: '0',
      CHECKOUT_BASE_URL: 'https://pay.example.com/checkout',
      ...part('services').addressSettings,
      // Generous unless a test is about timeouts, so that a busy machine causes no 503.
      REQUEST_TIMEOUT_MS: '15000',
      REDIS_URL: url,
      REDIS_KEY_PREFIX: keyPrefix,
      ...settings,
    })
    parts.running = await start(config, { log, clock, redis: { ...redis, subscribe: subscribeAnd(redis, heard) } })
    // Waits until the subscription is active, so that no revocation is missed.
    await vi.waitFor(async () => {
      await part('redis').publish('api-key-revoked', 'first')
      expect(heard.last).toBe('first')
    }, 30_000)
    // Several first messages may have been sent: none of them may clear the cache during a test.
    await announceRevocation('last')
    parts.http = createHttpClient(part('running').port)
  })
  afterEach(() => {
    const services = part('services')
    for (const name of Object.keys(services.overrides))
      delete services.overrides[name as keyof typeof services.overrides]
    services.calls.length = 0
    clock.ahead = 0
    clock.stoppedAt = undefined
  })
  afterAll(async () => {
    parts.http?.close()
    await parts.running?.stop()
    await parts.services?.close()
    await parts.redis?.close()
  })

  async function announceRevocation(keyId: string): Promise<void> {
    await part('redis').publish('api-key-revoked', keyId)
    await vi.waitFor(() => expect(heard.last).toBe(keyId), 30_000)
  }

  async function request(method: string, path: string, input?: RequestInput): Promise<HttpResponse> {
    const response = await part('http').request(method, path, input)
    expectDeclared(response)
    return response
  }

  return {
    logLines,
    clock,
    request,
    announceRevocation,
    get services() {
      return part('services')
    },
    get redis() {
      return part('redis')
    },
    get running() {
      return part('running')
    },
    received: () => ({ ...part('services').calls.at(-1)?.request }),
    newGameServer() {
      const [id, storeId, token] = [newId(), newId(), newGameServerToken()]
      const identity = { gameServerId: id, storeId, enabled: true, epoch: 1n }
      part('services').gameServerTokens.set(token, identity)
      const authorization = `Gameserver ${token}`
      return {
        id,
        storeId,
        token,
        identity,
        send: (method, path, input = {}) =>
          request(method, `/v1/delivery${path}`, { ...input, headers: { authorization, ...input.headers } }),
      }
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

export function newKeyPrefix(): string {
  return `gateway-test-${randomBytes(6).toString('hex')}:`
}

function subscribeAnd(redis: Redis, heard: { last: string }): Redis['subscribe'] {
  return (channel, onMessage, onGap) => {
    const note = (message: string) => {
      heard.last = message
      onMessage(message)
    }
    redis.subscribe(channel, note, onGap)
  }
}

const allScopes = [...new Set(endpoints.flatMap(({ scope }) => scope ?? []))]

/** A request that succeeds: the example of the endpoint, in this store. */
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
export function itemsOf({ body }: HttpResponse): string[] {
  const { errors } = body as { errors: { path: string; validation: string }[] | null }
  return (errors ?? []).map(({ path, validation }) => `${path} ${validation}`)
}

export interface TestGateway {
  services: FakeServices
  /** Adds the gateway's key prefix. */
  redis: Redis
  running: RunningGateway
  /** Returns when the gateway has received the message. */
  announceRevocation(keyId: string): Promise<void>
  /** Both clocks run `ahead` ms ahead of the system's, as if that time had passed. */
  clock: {
    ahead: number
    /** Stops the monotonic clock until the end of the test: only `ahead` moves it, even on a slow machine. */
    stop(): void
  }
  logLines: string[]
  request(method: string, path: string, input?: RequestInput): Promise<HttpResponse>
  /** The latest request that a service received. */
  received(): Record<string, unknown>
  /** A new game server with a token. */
  newGameServer(): TestGameServer
  /** A new store with an API key. */
  newStore(scopes?: string[]): TestStore
}

export interface TestGameServer {
  id: string
  storeId: string
  token: string
  /** What the fake delivery service says about the token. */
  identity: { enabled: boolean; epoch: bigint }
  /** Sends a request below `/v1/delivery`, with the token. */
  send(method: string, path: string, input?: RequestInput): Promise<HttpResponse>
}

export interface TestStore {
  id: string
  keyId: string
  apiKey: string
  /** Sends a request below the path of the store, with its key. */
  send(method: string, path: string, input?: RequestInput): Promise<HttpResponse>
  /** Sends a storefront request with the store header. */
  shop(method: string, path: string, input?: RequestInput): Promise<HttpResponse>
  signIn(): { customerId: string; token: string; authorization: string }
}

interface Parts {
  services: FakeServices
  redis: Redis
  running: RunningGateway
  http: HttpClient
}
