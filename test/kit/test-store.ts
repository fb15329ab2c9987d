import { randomBytes } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Client, createClient } from '@storekeep/common/grpc'
import { readTlsIdentity } from '@storekeep/common/identity'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport, testIdentity } from '@storekeep/common/testing/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { Game } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { HttpClient, HttpResponse, RequestInput } from './http-client.ts'
import type { SecretsRecord } from './secrets.ts'
import type { SystemAddress } from './system-address.ts'

/** Creates stores and API keys through the stores service, as `npm run admin` does. */
export function createOperator({ storesAddress, tls: config }: OperatorAddress, secrets: SecretsRecord): Operator {
  const tls = config && readTlsIdentity(config)
  const transport = createTestTransport('stores', storesAddress, (name) => ({ ...testIdentity(name), tls }))
  const stores: Client<typeof StoresService> = createClient(StoresService, transport)

  return {
    async createStore(http, { game = 'rust', scopes = [], bedrockPrefix } = {}) {
      const slug = `test-${randomBytes(8).toString('hex')}`
      const { store } = await stores.createStore(
        { slug, name: `Store ${slug}`, game: games[game], currency: 'EUR', ...(bedrockPrefix && { bedrockPrefix }) },
        callOptions(),
      )
      if (!store) throw new Error('CreateStore returned no store')
      const key = await createKey(store.id, { scopes })
      return openStore(http, { id: store.id, slug, game, apiKey: key.key, apiKeyId: key.id })
    },
    createKey,
    async revokeKey(apiKeyId) {
      await stores.revokeApiKey({ apiKeyId }, callOptions())
    },
    close: () => transport.close(),
  }

  async function createKey(
    storeId: string,
    { scopes = [], expiresAt }: KeyOptions = {},
  ): Promise<{ id: string; key: string }> {
    const { apiKey, key } = await stores.createApiKey(
      { storeId, name: 'test', scopes: [...scopes], ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) },
      callOptions(),
    )
    if (!apiKey) throw new Error('CreateApiKey returned no key')
    secrets.add('API-key', key)
    return { id: apiKey.id, key }
  }
}

type OperatorAddress = Pick<SystemAddress, 'storesAddress' | 'tls'>

/** Opens a store for management calls with its key and for storefront calls. */
export function openStore(http: HttpClient, identity: StoreIdentity): TestStore {
  const base = `/v1/stores/${identity.id}`
  const authorization = { authorization: `APIKey ${identity.apiKey}` }

  function manage<Body>(method: string, path: string, input: RequestInput = {}): Promise<HttpResponse<Body>> {
    return http.request<Body>(method, base + path, { ...input, headers: { ...authorization, ...input.headers } })
  }

  return {
    ...identity,
    get: (path, input) => manage('GET', path, input),
    post: (path, json, input) => manage('POST', path, { json, ...input }),
    patch: (path, json, input) => manage('PATCH', path, { json, ...input }),
    delete: (path, input) => manage('DELETE', path, input),
    shop: (method, path, { token, ...input } = {}) => {
      const headers = {
        'x-service-store-id': identity.id,
        ...(token !== undefined && { authorization: `Customer ${token}` }),
        ...input.headers,
      }
      return http.request(method, `/v1${path}`, { ...input, headers })
    },
    through: (other) => openStore(other, identity),
  }
}

function callOptions() {
  return {
    actor: { type: ActorType.ADMIN },
    requestId: `test-${randomBytes(6).toString('hex')}`,
    traceparent: formatTraceparent(childContext()),
  }
}

const games = {
  rust: Game.RUST,
  minecraft: Game.MINECRAFT,
  minecraft_offline: Game.MINECRAFT_OFFLINE,
  minecraft_geyser: Game.MINECRAFT_GEYSER,
} as const

export type GameName = keyof typeof games

export interface StoreOptions {
  game?: GameName
  /** The scopes of the first key; all by default. */
  scopes?: readonly string[]
  bedrockPrefix?: string
}

export interface KeyOptions {
  /** All scopes by default. */
  scopes?: readonly string[]
  expiresAt?: Date
}

export interface Operator {
  createStore(http: HttpClient, options?: StoreOptions): Promise<TestStore>
  createKey(storeId: string, options?: KeyOptions): Promise<{ id: string; key: string }>
  revokeKey(apiKeyId: string): Promise<void>
  close(): void
}

export interface StoreIdentity {
  readonly id: string
  readonly slug: string
  readonly game: GameName
  readonly apiKey: string
  readonly apiKeyId: string
}

export interface TestStore extends StoreIdentity {
  /** A management call; the path is relative to the store: "/customers". */
  get<Body = unknown>(path: string, input?: RequestInput): Promise<HttpResponse<Body>>
  post<Body = unknown>(path: string, json?: unknown, input?: RequestInput): Promise<HttpResponse<Body>>
  patch<Body = unknown>(path: string, json?: unknown, input?: RequestInput): Promise<HttpResponse<Body>>
  delete<Body = unknown>(path: string, input?: RequestInput): Promise<HttpResponse<Body>>
  /** A storefront call; the path is relative to the version: "/store/customer". */
  shop<Body = unknown>(
    method: string,
    path: string,
    input?: RequestInput & { token?: string },
  ): Promise<HttpResponse<Body>>
  /** The same store through another gateway or client. */
  through(http: HttpClient): TestStore
}
