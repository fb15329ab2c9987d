import type { CallOptions } from '@storekeep/common/grpc'
import { randomId } from '@storekeep/common/testing'
import type { QueuedCommand } from '@storekeep/proto/delivery/v1/command_queue_service'
import sql from 'sql-template-tag'
import type { AttemptRow } from '../src/attempts/db/schema.ts'
import type { NewAttempt } from '../src/attempts/domain/attempt.ts'
import { queueCommands } from '../src/attempts/steps/queue-commands.ts'
import { upsertPlayers } from '../src/copies/db/player-repository.ts'
import type { Player } from '../src/copies/domain/player.ts'
import type { TestDelivery, TestServer } from './harness.ts'

/** Queues commands for a server, of one item unless the item is given, in order. They are due immediately. */
export async function queue(
  { database }: Pick<TestDelivery, 'database'>,
  { storeId, gameServerId }: Pick<TestServer, 'storeId' | 'gameServerId'>,
  commands: readonly Partial<NewAttempt>[],
): Promise<AttemptRow[]> {
  const itemId = randomId()
  // The clocks of this machine and of the database are the same.
  const now = new Date()
  const attempts = commands.map((command, index) => ({
    storeId,
    itemId,
    gameServerId,
    customerId: null,
    stage: 'on_purchase' as const,
    template: `say ${index}`,
    command: `say ${index}`,
    missingPlaceholders: [],
    onlineOnly: false,
    requiredSlots: 0,
    originalId: null,
    onceId: null,
    steamId: null,
    minecraftUuid: null,
    customerName: null,
    queuedAt: now,
    dueAt: now,
    ...command,
  }))
  return await database.transaction((tx) => queueCommands(tx, attempts))
}

/** Stores the identities of a customer. */
export async function addPlayer(
  { database }: Pick<TestDelivery, 'database'>,
  storeId: string,
  identities: Partial<Player>,
): Promise<string> {
  const customerId = randomId()
  const player = {
    storeId,
    customerId,
    name: null,
    claimed: false,
    steamId: null,
    steamName: null,
    minecraftUuid: null,
    minecraftName: null,
    bedrock: false,
    xboxXuid: null,
    version: '1',
    ...identities,
  }
  await database.transaction((tx) => upsertPlayers(tx, [player], () => undefined))
  return customerId
}

export interface Players {
  steamIds?: string[]
  minecraftUuids?: string[]
  customerNames?: string[]
  anyPlayer?: boolean
  waitMs?: number
}

/** The commands that a poll gives out. */
export async function poll(
  { queue: client }: Pick<TestDelivery, 'queue'>,
  { gameServerId, tokenEpoch, asServer }: TestServer,
  players: Players = {},
  options: Partial<CallOptions> = {},
): Promise<QueuedCommand[]> {
  const request = { gameServerId, tokenEpoch, peerAddress: '192.0.2.1', ...players }
  return (await client.pollCommands(request, { ...asServer, ...options })).commands
}

/** Resolves with the commands of the first poll that finds some. */
export async function pollUntilFound(test: TestDelivery, server: TestServer, players: Players = {}) {
  for (;;) {
    const commands = await poll(test, server, { ...players, waitMs: 10_000 })
    if (commands.length > 0) return commands
  }
}

export function idsOf(commands: readonly (QueuedCommand | AttemptRow)[]): string[] {
  return commands.map((command) => ('attemptId' in command ? command.attemptId : command.id))
}

export async function acknowledge(
  { queue: client }: Pick<TestDelivery, 'queue'>,
  { gameServerId, tokenEpoch, asServer }: TestServer,
  attemptIds: readonly string[],
): Promise<number> {
  const request = { gameServerId, tokenEpoch, attemptIds: [...attemptIds], peerAddress: '192.0.2.1' }
  return (await client.acknowledgeCommands(request, asServer)).executedCount
}

/** As if this time had passed for the commands of a server. */
export async function pass(
  { database }: Pick<TestDelivery, 'database'>,
  { storeId, gameServerId }: Pick<TestServer, 'storeId' | 'gameServerId'>,
  ms: number,
): Promise<void> {
  const earlier = sql`${ms} * interval '1 millisecond'`
  await database.query(sql`
    update command_attempt set due_at = due_at - ${earlier}, available_at = available_at - ${earlier},
      leased_until = leased_until - ${earlier}, first_given_out_at = first_given_out_at - ${earlier}
    where store_id = ${storeId} and game_server_id = ${gameServerId}`)
  await database.query(sql`
    update command_queue set next_due_at = next_due_at - ${earlier}, next_online_due_at = next_online_due_at - ${earlier},
      changed_at = clock_timestamp()
    where store_id = ${storeId} and game_server_id = ${gameServerId}`)
}

/** The attempts of a server, in the order of their ids. */
export async function attemptsOf(
  { database }: Pick<TestDelivery, 'database'>,
  { storeId, gameServerId }: Pick<TestServer, 'storeId' | 'gameServerId'>,
) {
  return await database.query<{ id: string; state: string; givenOutCount: number; isStuck: boolean }>(sql`
    select id, state, given_out_count as "givenOutCount", stuck_at is not null as "isStuck" from command_attempt
    where store_id = ${storeId} and game_server_id = ${gameServerId} order by id`)
}

/**
 * What a poll gives out now. A further command proves that the poll has looked: it is queued now, given out too, and not returned.
 */
export async function dueNow(test: TestDelivery, server: TestServer, players: Players = {}): Promise<string[]> {
  const [further] = idsOf(await queue(test, server, [{}]))
  const found = idsOf(await pollUntilFound(test, server, players))
  if (!found.includes(String(further))) throw new Error('the poll has not seen the further command')
  await acknowledge(test, server, [String(further)])
  return found.filter((id) => id !== further)
}
