import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { CommandAttemptState, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import { type CommandStatusSchema, ItemStatusSchema } from '@storekeep/proto/delivery/v1/item_status'
import { describe, expect, it } from 'vitest'
import { isDelivered, waitsOf } from './item-status.ts'

type Command = MessageInitShape<typeof CommandStatusSchema>

const nowMs = 100_000

function anItem(commands: Command[], state: DeliveryItemState = DeliveryItemState.USABLE) {
  const base = { stage: CommandStage.ON_PURCHASE, state: CommandAttemptState.PENDING, gameServerId: '1' }
  return create(ItemStatusSchema, { state, commands: commands.map((command) => ({ ...base, ...command })) })
}

const waits = (commands: Command[], state?: DeliveryItemState) => waitsOf(anItem(commands, state), nowMs)
const online = { onlineOnly: true }
const blocked = (...missingPlaceholders: string[]) => ({ state: CommandAttemptState.BLOCKED, missingPlaceholders })
const executed = { state: CommandAttemptState.EXECUTED }

describe('what an item waits for', () => {
  it.each<[string, Command[], object[]]>([
    [
      'its player, on each server once',
      [online, online, { ...online, gameServerId: '2' }],
      [{ kind: 'join', serverIds: ['1', '2'] }],
    ],
    [
      'servers that have not fetched its commands',
      [{}, { gameServerId: '2' }],
      [{ kind: 'server', serverIds: ['1', '2'] }],
    ],
    [
      'the player on one server, and another server',
      [online, {}, { gameServerId: '2' }],
      [
        { kind: 'join', serverIds: ['1'] },
        { kind: 'server', serverIds: ['2'] },
      ],
    ],
    [
      'an account',
      [blocked('customer.minecraft.uuid'), blocked('customer.minecraft.name')],
      [{ kind: 'account', account: 'Minecraft' }],
    ],
    [
      'two accounts',
      [blocked('customer.steam.id', 'customer.xbox.xuid')],
      [
        { kind: 'account', account: 'Steam' },
        { kind: 'account', account: 'Xbox' },
      ],
    ],
    ['an account of the giver, which only the store can add', [blocked('buyer.steam.id')], [{ kind: 'details' }]],
    ['an answer, which only the store can add', [blocked('variables.nick')], [{ kind: 'details' }]],
    ['a server that never acknowledged a command', [{ stuck: true }], [{ kind: 'unconfirmed' }]],
    [
      'the time of its first command',
      [{ dueAt: timestampFromMs(nowMs + 2) }, { dueAt: timestampFromMs(nowMs + 1) }],
      [{ kind: 'later', timeMs: nowMs + 1 }],
    ],
    [
      'the player, while a later command is not due',
      [online, { dueAt: timestampFromMs(nowMs + 1) }],
      [{ kind: 'join', serverIds: ['1'] }],
    ],
    [
      'free inventory slots',
      [
        { ...online, requiredSlots: 2 },
        { ...online, requiredSlots: 5 },
      ],
      [
        { kind: 'join', serverIds: ['1'] },
        { kind: 'slots', count: 5 },
      ],
    ],
    ['a game server, if the store has none', [], [{ kind: 'server', serverIds: [] }]],
    ['nothing once all commands were executed', [executed], []],
    ['nothing once the staff has unqueued its commands', [{ state: CommandAttemptState.UNQUEUED }], []],
  ])('is %s', (_, commands, expected) => {
    expect(waits(commands)).toEqual(expected)
  })

  it('is also shown for an item that is active because another command was executed', () => {
    expect(waits([executed, { ...online, gameServerId: '2' }], DeliveryItemState.ACTIVE)).toEqual([
      { kind: 'join', serverIds: ['2'] },
    ])
  })

  it('is nothing for an item without commands, which is active immediately', () => {
    expect(waits([], DeliveryItemState.ACTIVE)).toEqual([])
  })

  it.each([DeliveryItemState.USED, DeliveryItemState.REVOKED, DeliveryItemState.RENEWED])(
    'is nothing for an item that has ended: state %s',
    (state) => {
      expect(waits([online, blocked('customer.steam.id')], state)).toEqual([])
    },
  )

  it.each([CommandStage.ON_EXPIRE, CommandStage.ON_REFUND, CommandStage.ON_CHARGEBACK])(
    'is never a command that takes goods away: stage %s',
    (stage) => {
      expect(waits([executed, { ...online, stage }], DeliveryItemState.ACTIVE)).toEqual([])
    },
  )
})

describe('an item', () => {
  it('counts as delivered once a server has executed a command that gives goods', () => {
    expect(isDelivered(anItem([executed, online]))).toBe(true)
    expect(isDelivered(anItem([online]))).toBe(false)
    expect(isDelivered(anItem([{ ...executed, stage: CommandStage.ON_EXPIRE }]))).toBe(false)
    expect(isDelivered(anItem([]))).toBe(false)
  })
})
