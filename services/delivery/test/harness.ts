import { type CallOptions, type Client, createClient, type Transport, type UnaryService } from '@storekeep/common/grpc'
import {
  createTestTransport,
  type Env,
  randomId,
  type TestService,
  useService,
  withApiKey,
} from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import { file_storekeep_delivery_v1_events as events } from '@storekeep/proto/delivery/v1/events'
import type { GameServer } from '@storekeep/proto/delivery/v1/game_server'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { afterAll, beforeAll } from 'vitest'
import { type DeliveryConfig, readConfig } from '../src/config.ts'
import { delivery as service } from '../src/service.ts'

/** Leases last longer than any test. */
export const settings: Env = { COMMAND_LEASE_SECONDS: '300' }
export const leaseMs = 300_000

/** Calls of GameServersService, with a client of CommandQueueService. See `useService`. */
export function useDelivery(change?: (env: Env) => Promise<Env>): TestDelivery {
  const delivery = useService({ service, definition: GameServersService, events, readConfig, settings, change })
  const queue = clientOf(delivery, CommandQueueService)
  return Object.defineProperty(delivery, 'queue', { get: queue }) as TestDelivery
}

export type TestDelivery = TestService<DeliveryConfig, typeof GameServersService> & {
  /** Known when the tests run. */
  queue: Client<typeof CommandQueueService>
}

/** A client of another service of the process. */
export function clientOf<S extends UnaryService>(
  test: { running: { address: string } },
  definition: S,
): () => Client<S> {
  let transport: Transport
  let client: Client<S>
  beforeAll(() => {
    transport = createTestTransport('delivery', test.running.address)
    client = createClient(definition, transport)
  })
  afterAll(() => transport.close())
  return () => client
}

/** Call options with an API key of the store; of a new store unless one is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

/** A game server with its token, and the options of its calls. */
export interface TestServer {
  server: GameServer
  token: string
  storeId: string
  gameServerId: string
  /** Of the token, unless it was reset or the server was disabled. */
  tokenEpoch: bigint
  /** Of calls by the staff of the store. */
  options: CallOptions & { storeId: string }
  /** Of calls by the plugin. */
  asServer: CallOptions & { storeId: string }
}

export async function createTestServer(
  { client }: Pick<TestDelivery, 'client'>,
  options: CallOptions & { storeId: string } = inStore(),
  gameServer: { name: string; enabled: boolean } = { name: 'Survival', enabled: true },
): Promise<TestServer> {
  const { gameServer: server, token } = await client.createGameServer({ gameServer }, options)
  if (!server) throw new Error('CreateGameServer returned no server')
  const asServer = { ...options, actor: { type: ActorType.GAME_SERVER, id: server.id } }
  return { server, token, storeId: options.storeId, gameServerId: server.id, tokenEpoch: 1n, options, asServer }
}
