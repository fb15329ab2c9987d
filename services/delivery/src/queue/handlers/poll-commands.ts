import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { AttemptRow, ServerKey } from '../../attempts/db/schema.ts'
import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { findCustomers } from '../db/poll-repository.ts'
import { nextStep, pauseMs } from '../domain/next-step.ts'
import { type Identities, isEmpty, readIdentities } from '../domain/online-players.ts'
import { queuedCommandToProto } from '../mappers.ts'
import { findNextCommand, giveOutCommands } from '../steps/give-out-commands.ts'

export function pollCommands(ctx: AppContext): CommandQueueHandlers['pollCommands'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    const server = { storeId, gameServerId }
    const { anyPlayer: isAnyPlayer, tokenEpoch } = request
    const waitMs = Math.min(request.waitMs, 1000 * deliveryLimits.waitSeconds, call.remainingMs() - marginMs)
    const poll: Poll = { ...server, tokenEpoch, isAnyPlayer, players: readIdentities(request) }
    try {
      await ctx.tokenEpochs.requireCurrent(server, tokenEpoch)
      ctx.fetchTimes.record(server, request.peerAddress)
      const rows = await waitForCommands(ctx, poll, { endsAt: ctx.clock.monotonicMs() + waitMs, call })
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
  tokenEpoch: bigint
  /** Whether commands of players who may be offline are given out. */
  isAnyPlayer: boolean
  /** The players who are online. */
  players: Identities
}

/** Gives out what is available; if nothing is, waits for it until the poll ends. */
async function waitForCommands(
  ctx: AppContext,
  poll: Poll,
  { endsAt, call }: { endsAt: number; call: Call },
): Promise<AttemptRow[]> {
  const { dueQueues, clock } = ctx
  for (;;) {
    if (call.signal.aborted) return []
    const rows = await giveOutIfDue(ctx, poll, call)
    const leftMs = endsAt - clock.monotonicMs()
    if (rows.length > 0 || leftMs <= 0 || dueQueues.isStopped()) return rows
    await dueQueues.wait(poll.gameServerId, pauseMs(dueQueues.view(poll.gameServerId), leftMs), call.signal)
    // The token may have been reset meanwhile.
    await ctx.tokenEpochs.requireCurrent(poll, poll.tokenEpoch)
  }
}

/** Gives out what is available. Queries the database only if something may be. */
async function giveOutIfDue(ctx: AppContext, poll: Poll, call: Call): Promise<AttemptRow[]> {
  const step = nextStep(ctx.dueQueues.view(poll.gameServerId), playersOf(ctx, poll))
  if (step.action === 'wait') return []
  ctx.queueMetrics.queries.inc()
  if (poll.isAnyPlayer) return await giveOutCommands(ctx, poll, 'any', call)
  const customers = isEmpty(poll.players) ? [] : await findCustomers(ctx.database, poll.storeId, poll.players)
  if (step.action === 'check-players') {
    const { isAvailable, nextAt } = await findNextCommand(ctx, poll, customers)
    if (!isAvailable) {
      ctx.dueQueues.rememberAbsent(poll.gameServerId, poll.players, { changedAt: step.changedAt, nextAt })
      return []
    }
  }
  return await giveOutCommands(ctx, poll, customers, call)
}

function playersOf({ dueQueues }: AppContext, { gameServerId, isAnyPlayer, players }: Poll) {
  if (isAnyPlayer) return 'any'
  if (isEmpty(players)) return 'none'
  return dueQueues.isAbsent(gameServerId, players) ? 'absent' : 'some'
}
