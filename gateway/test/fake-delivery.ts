import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import type { CommandQueueService } from '@storekeep/proto/delivery/v1/command_queue_service'
import {
  type CommandAttemptSchema,
  CommandAttemptState,
  type DeliveryItemSchema,
  DeliveryItemState,
} from '@storekeep/proto/delivery/v1/delivery_item'
import type { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import type { GameServerSchema } from '@storekeep/proto/delivery/v1/game_server'
import type { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { ExecutionRule, type GlobalCommandSchema } from '@storekeep/proto/delivery/v1/global_command'
import type { GlobalCommandsService } from '@storekeep/proto/delivery/v1/global_commands_service'
import { newId } from './ids.ts'

const at = timestampFromDate(new Date('2026-11-20T14:35:17.042Z'))
const page = { hasNext: false, hasPrevious: false }

/** The game servers that have a token, by token. */
export type GameServerTokens = Map<string, { gameServerId: string; storeId: string; enabled: boolean; epoch: bigint }>

/** Rejects a call with an outdated epoch, as the delivery service does. */
function requireCurrent(tokens: GameServerTokens, call: { gameServerId: string; tokenEpoch: bigint }): void {
  const isCurrent = [...tokens.values()].some(
    (one) => one.enabled && one.gameServerId === call.gameServerId && one.epoch === call.tokenEpoch,
  )
  if (!isCurrent) throw errors.unauthorized()
}

/** The delivery service without its rules. */
export function gameServersHandlers(tokens: GameServerTokens): Handlers<typeof GameServersService> {
  const one = async (id: string, call: Call) => ({ gameServer: gameServerMessage(id, call) })
  return {
    createGameServer: async (_request, call) => ({ ...(await one(newId(), call)), token: 'skgs_created' }),
    getGameServer: ({ gameServerId }, call) => one(gameServerId, call),
    listGameServers: async (_request, call) => ({ gameServers: [gameServerMessage(newId(), call)] }),
    updateGameServer: ({ gameServerId }, call) => one(gameServerId, call),
    deleteGameServer: async () => ({}),
    resetGameServerToken: async ({ gameServerId }, call) => ({
      ...(await one(gameServerId, call)),
      token: 'skgs_reset',
    }),
    async verifyGameServerToken({ token }) {
      const known = tokens.get(token)
      if (!known) throw errors.unauthorized()
      return known
    },
    async linkGameServer(request, call) {
      requireCurrent(tokens, request)
      return { ...(await one(request.gameServerId, call)), storePlatform: 'minecraft' }
    },
  }
}

export function globalCommandsHandlers(): Handlers<typeof GlobalCommandsService> {
  const one = async (id: string, call: Call) => ({ globalCommand: globalCommandMessage(id, call) })
  return {
    createGlobalCommand: (_request, call) => one(newId(), call),
    listGlobalCommands: async (_request, call) => ({ globalCommands: [globalCommandMessage(newId(), call)] }),
    updateGlobalCommand: ({ globalCommandId }, call) => one(globalCommandId, call),
    deleteGlobalCommand: async () => ({}),
  }
}

export function deliveryItemsHandlers(): Handlers<typeof DeliveryItemsService> {
  return {
    listDeliveryItems: async (_request, call) => ({ items: [deliveryItemMessage(newId(), call)], page }),
    listItemStatuses: () => Promise.reject(new Error('not called by the gateway')),
    grantDeliveryItems: async ({ grants }, call) => ({
      items: grants.map((grant) => ({ ...deliveryItemMessage(newId(), call), customerId: grant.customerId })),
    }),
    revokeDeliveryItem: async () => ({}),
    listCommandAttempts: async (_request, call) => ({ attempts: [commandAttemptMessage(newId(), call)], page }),
    unqueueCommands: async ({ attemptIds }) => ({ unqueuedCount: attemptIds.length }),
    releaseCommand: async ({ attemptId }, call) => ({ attempt: commandAttemptMessage(attemptId, call) }),
    resendCommands: async () => ({ enqueuedCount: 3 }),
    listOwnedProducts: () => Promise.reject(new Error('not called by the gateway')),
  }
}

export function commandQueueHandlers(tokens: GameServerTokens): Handlers<typeof CommandQueueService> {
  return {
    async pollCommands(request) {
      requireCurrent(tokens, request)
      return { commands: [] }
    },
    async acknowledgeCommands(request) {
      requireCurrent(tokens, request)
      return { executedCount: request.attemptIds.length }
    },
    async recordPlayerJoins(request) {
      requireCurrent(tokens, request)
      return {}
    },
  }
}

export function gameServerMessage(
  id: string,
  { storeId = '', actor }: Call,
): MessageInitShape<typeof GameServerSchema> {
  return {
    id,
    storeId,
    name: 'Survival',
    enabled: true,
    linkedTo: { ip: '203.0.113.20', hostname: 'Survival', platform: 'Paper', version: '1.0.0', savedAt: at },
    createdBy: actor,
    createdAt: at,
    version: 1n,
  }
}

function globalCommandMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof GlobalCommandSchema> {
  return {
    id,
    storeId,
    command: { stage: CommandStage.ON_PURCHASE, content: 'say hello' },
    executionRule: ExecutionRule.ONCE_PER_ITEM,
    createdBy: actor,
    createdAt: at,
    version: 1n,
  }
}

export function commandAttemptMessage(
  id: string,
  { storeId = '' }: Pick<Call, 'storeId'>,
): MessageInitShape<typeof CommandAttemptSchema> {
  return {
    id,
    storeId,
    gameServerId: newId(),
    stage: CommandStage.ON_PURCHASE,
    command: 'give Robin diamond',
    onlineOnly: true,
    queuedAt: at,
    dueAt: at,
    state: CommandAttemptState.PENDING,
    version: 1n,
  }
}

export function deliveryItemMessage(
  id: string,
  { storeId = '' }: Pick<Call, 'storeId'>,
): MessageInitShape<typeof DeliveryItemSchema> {
  return {
    id,
    storeId,
    customerId: newId(),
    quantityIndex: 0,
    product: { id: newId(), name: 'VIP rank', versionId: newId() },
    state: DeliveryItemState.USABLE,
    addedAt: at,
    commandAttempts: [commandAttemptMessage(newId(), { storeId })],
    version: 1n,
  }
}
