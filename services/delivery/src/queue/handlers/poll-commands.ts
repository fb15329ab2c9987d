import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { AttemptRow, ServerKey } from '../../attempts/db/schema.ts'
import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { findCustomers, type Online } from '../db/poll-repository.ts'
import { type Identities, isEmpty, readIdentities } from '../domain/online-players.ts'
import { queuedCommandToProto } from '../mappers.ts'
import { findNextCommand, giveOutCommands } from '../steps/give-out-commands.ts'

export function pollCommands(ctx: AppContext): CommandQueueHandlers['pollCommands'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    const players = readIdentities(request)
    const waitMs = Math.min(request.waitMs, 1000 * deliveryLimits.waitSeconds, call.remainingMs() - marginMs)
    ctx.fetchTimes.record({ storeId, gameServerId }, request.peerAddress)
    try {
      const poll = { storeId, gameServerId, isAnyPlayer: request.anyPlayer, players }
      const rows = await takeCommands(ctx, poll, { endsAt: ctx.clock.monotonicMs() + waitMs, call })
      ctx.queueMetrics.polls.inc({ outcome: rows.length > 0 ? 'commands' : 'empty' })
      for (const { givenOutCount } of rows) {
        ctx.queueMetrics.givenOut.inc({ occasion: givenOutCount > 1 ? 'repeated' : 'first' })
      }
      return { commands: rows.map(queuedCommandToProto) }
    } catch (error) {
      ctx.queueMetrics.polls.inc({ outcome: 'failed' })
      throw error
    }
  }
}

/** How much earlier than the deadline of the call a poll ends that waits. */
const marginMs = 200

interface Poll extends ServerKey {
  /** Whether commands of players who may be offline are given out. */
  isAnyPlayer: boolean
  /** The players who are online. */
  players: Identities
}

/** Gives out what is due; if nothing is, waits for it until the poll ends, without asking the database. */
async function takeCommands(
  ctx: AppContext,
  poll: Poll,
  { endsAt, call }: { endsAt: number; call: Call },
): Promise<AttemptRow[]> {
  for (;;) {
    if (call.signal.aborted) return []
    const view = ctx.dueQueues.look(poll.gameServerId)
    const needsOnline = poll.isAnyPlayer || !isEmpty(poll.players)
    const isOnlineDue = view.isKnown && view.isOnlineDue && needsOnline
    const isAbsent = isOnlineDue && !poll.isAnyPlayer && ctx.dueQueues.isAbsent(poll.gameServerId, poll.players)
    if (!view.isKnown || view.isDue || (isOnlineDue && !isAbsent)) {
      const rows = await ask(ctx, poll, view.isKnown && !view.isDue ? view.changedAt : undefined, call)
      if (rows.length > 0) return rows
    }
    const leftMs = endsAt - ctx.clock.monotonicMs()
    if (leftMs <= 0 || ctx.dueQueues.isStopped()) return []
    const next = ctx.dueQueues.look(poll.gameServerId)
    const pauseMs = next.isKnown ? Math.max(minPauseMs, Math.min(next.nextInMs, maxPauseMs)) : minPauseMs
    await ctx.dueQueues.wait(poll.gameServerId, Math.min(leftMs, pauseMs), call.signal)
  }
}

const minPauseMs = 50
/** A waiting poll looks again, in case a time has come that belongs only to its players. */
const maxPauseMs = 1000

/**
 * Asks the database.
 * @param changedAt the state of the queue, if only commands that wait for their player can be available
 */
async function ask(ctx: AppContext, poll: Poll, changedAt: number | undefined, call: Call): Promise<AttemptRow[]> {
  ctx.queueMetrics.queries.inc()
  const online = await findOnline(ctx, poll)
  if (changedAt === undefined || !Array.isArray(online)) return await giveOutCommands(ctx, poll, online, call)
  // Usually the players for whom commands wait are offline. Finding that out needs no lock.
  const { isAvailable, nextAt } = await findNextCommand(ctx, poll, online)
  if (isAvailable) return await giveOutCommands(ctx, poll, online, call)
  ctx.dueQueues.rememberAbsent(poll.gameServerId, poll.players, { changedAt, nextAt })
  return []
}

async function findOnline(ctx: AppContext, { storeId, isAnyPlayer, players }: Poll): Promise<Online> {
  if (isAnyPlayer) return 'any'
  return isEmpty(players) ? 'none' : await findCustomers(ctx.database, storeId, players)
}
