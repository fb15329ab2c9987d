import type { Database, Transaction } from '@storekeep/common/postgres'
import { randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { ServerKey } from '../src/attempts/db/schema.ts'
import { findCustomers, type Online } from '../src/queue/db/poll-repository.ts'
import { findUnacknowledged } from '../src/queue/db/stuck-repository.ts'
import { createDueQueues } from '../src/queue/steps/due-queues.ts'
import { findNextCommand, giveOutCommands } from '../src/queue/steps/give-out-commands.ts'
import { leaseMs, useDelivery } from './harness.ts'

const delivery = useDelivery()

/**
 * Commands in the queues of other servers, and for players of the server who are offline. With 1,000,000 the plans are the same, but
 * inserting takes longer.
 */
const others = 50_000

it.each(['unknown', 'from before there were commands', 'current'])(
  'a poll reads no more rows with many commands of other servers and players than without, with statistics %s',
  async (statistics) => {
    const { before, after } = await inRolledBack(async (tx) => {
      const server = { storeId: randomId(), gameServerId: randomId() }
      const analyze = () => tx.query(sql`analyze command_attempt, command_queue, player`)
      if (statistics === 'from before there were commands') await analyze()
      // Postgres keeps the plans of a statement that has run more than five times.
      for (let n = 0; n < 8; n += 1) await rowsOfSteps(tx, server)
      const before = await rowsOfSteps(tx, server)
      for (let left = others; left > 0; left -= 5000) await insertOthers(tx, server, 5000)
      if (statistics === 'current') await analyze()
      return { before, after: await rowsOfSteps(tx, server) }
    })
    // An index scan may read a few rows more. Any other plan reads thousands.
    for (const [step, rows] of Object.entries(before)) {
      // Autovacuum collects statistics of a growing table within minutes. Until then, reading all players of a store is cheap.
      if (step === 'find players' && statistics !== 'current') continue
      expect({ step, excess: Math.max(0, Number(after[step]) - rows - 20) }).toEqual({ step, excess: 0 })
    }
  },
)

/** The rows that each step of a poll reads. */
async function rowsOfSteps(tx: Transaction, server: ServerKey): Promise<Record<string, number>> {
  // As in a new transaction, which has the default settings.
  const transaction = async (work: (inner: Transaction) => unknown) => {
    await tx.query(sql`
      select set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true),
        set_config('enable_sort', 'on', true)`)
    return await work(tx)
  }
  const database = { transaction } as unknown as Database
  const ctx = { database, leaseMs, dueQueues: createDueQueues({ ...delivery, onRead: () => {} }) }
  const call = { signal: new AbortController().signal }
  const customerId = randomId()
  const name = `player ${customerId}`
  const rows: Record<string, number> = {}
  async function counted(step: string, run: () => Promise<unknown>): Promise<void> {
    await transaction(async () => undefined)
    const start = await rowsRead(tx)
    await run()
    rows[step] = (await rowsRead(tx)) - start
  }
  async function giveOut(online: Online, expected: number): Promise<void> {
    const given = await giveOutCommands(ctx, server, online, call)
    if (given.length !== expected) throw new Error(`The poll has given out ${given.length} commands.`)
  }
  await insertOne(tx, server, { customerId, name })
  await counted('find players', () =>
    findCustomers(tx, server.storeId, { steamIds: ['1'], minecraftUuids: [], names: [name] }),
  )
  await counted('find commands of players', () => findNextCommand(ctx, server, [customerId]))
  await counted('give out to all', () => giveOut([], 1))
  await counted('give out to players', () => giveOut([customerId], 1))
  await counted('find unacknowledged', () => findUnacknowledged(tx, 10))
  await tx.query(sql`
    update command_attempt set state = 'executed'
    where store_id = ${server.storeId} and game_server_id = ${server.gameServerId} and leased_until is not null`)
  return rows
}

/** Two commands: for everybody, and for a player. */
async function insertOne(
  tx: Transaction,
  server: ServerKey,
  player: { customerId: string; name: string },
): Promise<void> {
  await tx.query(sql`
    insert into player (store_id, customer_id, name, claimed, bedrock, folded_names, uuids, version)
    values (${server.storeId}, ${player.customerId}, ${player.name}, false, false, array[${player.name}]::text[], '{}', 1)`)
  for (const onlineOnly of [false, true]) {
    const of = sql`select 1 as n, ${server.gameServerId}::bigint as game_server_id, ${player.customerId}::bigint as customer_id`
    await insertFrom(tx, server.storeId, onlineOnly, of)
  }
}

/** As many commands of other servers as of players of this server who are offline. */
async function insertOthers(tx: Transaction, server: ServerKey, count: number): Promise<void> {
  const half = Math.floor(count / 2)
  const ofOthers = sql`select n, n % 500 + 1 as game_server_id, n as customer_id from generate_series(1, ${half}::int) n`
  const ofPlayers = sql`select n, ${server.gameServerId}::bigint as game_server_id, n as customer_id from generate_series(1, ${half}::int) n`
  await insertFrom(tx, server.storeId, false, ofOthers)
  await insertFrom(tx, server.storeId, true, ofPlayers)
  await tx.query(sql`
    insert into player (store_id, customer_id, name, claimed, bedrock, folded_names, uuids, version)
    select ${server.storeId}::bigint, flake_id(), 'x', false, false, array['x' || n], '{}', 1 from generate_series(1, 500) n`)
}

async function insertFrom(
  tx: Transaction,
  storeId: string,
  onlineOnly: boolean,
  of: ReturnType<typeof sql>,
): Promise<void> {
  await tx.query(sql`
    insert into command_attempt (store_id, item_id, game_server_id, customer_id, stage, template, command, state,
      missing_placeholders, online_only, required_slots, queued_at, due_at, available_at)
    select ${storeId}::bigint, flake_id(), game_server_id, customer_id, 'on_purchase', 'x', 'x', 'pending', '{}',
      ${onlineOnly}, 0, now(), now(), now()
    from (${of}) as given`)
  await tx.query(sql`
    insert into command_queue (store_id, game_server_id, next_due_at)
    select distinct ${storeId}::bigint, game_server_id, now() from (${of}) as given on conflict do nothing`)
}

async function rowsRead(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(sql`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
    where relname in ('command_attempt', 'command_queue', 'player')`)
  return row?.rows ?? Number.NaN
}

/** Runs `work` in a transaction that leaves the tables as empty as they were. */
async function inRolledBack<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined
  const rollBack = new Error('rolls back')
  const transaction = delivery.database.transaction(async (tx) => {
    result = { value: await work(tx) }
    throw rollBack
  })
  await transaction.catch((error: unknown) => {
    if (error !== rollBack) throw error
  })
  if (!result) throw new Error('the transaction did no work')
  return result.value
}
