import { enumFromProto } from '@storekeep/common/message'
import { IntervalScale, type ProductTerms } from '@storekeep/proto/checkout/v1/product'
import { type Customer, MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { Game as ProtoGame, type Store } from '@storekeep/proto/stores/v1/store'
import { stageToProto } from '../mappers.ts'
import type { NewPlayer } from './db/player-repository.ts'
import type { DeliveryCommand, DeliveryTerms, Interval } from './domain/delivery-terms.ts'
import type { Game, StoreGame } from './domain/player.ts'

/** What delivery needs of the terms of a product. Commands of stages that a newer release has added are left out. */
export function termsFromProto(terms: ProductTerms): DeliveryTerms {
  return {
    gameServerIds: terms.gameServerIds,
    commands: terms.commands.flatMap((command): DeliveryCommand[] => {
      const stage = enumFromProto(stageToProto, command.stage)
      if (stage === 'invalid') return []
      const {
        content,
        onlineOnly,
        overrideExecuteOnGameserverIds: gameServerIds,
        delaySeconds,
        requiredSlots,
      } = command
      return [{ stage, content, onlineOnly, gameServerIds, delaySeconds, requiredSlots }]
    }),
    removeAfter: removeAfterOf(terms),
  }
}

export function playerFromProto(customer: Customer): NewPlayer {
  const { steamId = null, steam, minecraftUuid = null, minecraft, xboxXuid = null, name = null } = customer
  return {
    storeId: customer.storeId,
    customerId: customer.id,
    name,
    claimed: customer.profile?.claimed ?? false,
    steamId,
    steamName: steam?.name ?? null,
    minecraftUuid,
    minecraftName: minecraft?.name ?? null,
    bedrock: customer.minecraftPlatform === MinecraftPlatform.BEDROCK,
    xboxXuid,
    version: String(customer.version),
  }
}

/** @returns undefined for a game that a newer release has added */
export function storeFromProto({ game, bedrockPrefix }: Store): StoreGame | undefined {
  const known = enumFromProto(gameToProto, game)
  return known === 'invalid' ? undefined : { game: known, bedrockPrefix }
}

function removeAfterOf({
  removeAfterEnabled,
  removeAfterTimeValue,
  removeAfterTimeScale,
}: ProductTerms): Interval | null {
  const scale = enumFromProto(scaleToProto, removeAfterTimeScale)
  const isComplete = removeAfterTimeValue !== undefined && scale !== undefined && scale !== 'invalid'
  return removeAfterEnabled && isComplete ? { value: removeAfterTimeValue, scale } : null
}

const scaleToProto = {
  day: IntervalScale.DAY,
  week: IntervalScale.WEEK,
  month: IntervalScale.MONTH,
} as const satisfies Record<Interval['scale'], IntervalScale>

const gameToProto = {
  rust: ProtoGame.RUST,
  minecraft: ProtoGame.MINECRAFT,
  minecraft_offline: ProtoGame.MINECRAFT_OFFLINE,
  minecraft_geyser: ProtoGame.MINECRAFT_GEYSER,
} as const satisfies Record<Game, ProtoGame>
