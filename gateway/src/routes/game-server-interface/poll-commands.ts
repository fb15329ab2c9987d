import { setTimeout } from 'node:timers/promises'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { QueuedCommand } from '@storekeep/proto/delivery/v1/command_queue_service'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import type { EndpointRequest, Reply } from '../../http/endpoint.ts'
import { readPreferredWait } from '../../http/prefer-wait.ts'
import type { HeldPoll } from '../../limits/held-polls.ts'
import { callAsServer } from './call-as-server.ts'
import { queuedCommandDto, type queuedCommandSchema } from './queued-command-dto.ts'

const maxWaitSeconds = deliveryLimits.waitSeconds

export const preferHeader = z.object({
  prefer: z
    .string()
    .optional()
    .meta({
      description:
        '`Prefer: wait=25` holds an empty response for up to 25 seconds or until a command is due (RFC 7240). The maximum is ' +
        `${maxWaitSeconds}. If the preference was applied, the response has the header \`Preference-Applied\`.`,
    }),
})

/**
 * Fetches due commands for the game server of the request, and waits for one if the caller prefers to.
 * @param players who is online; undefined also fetches the commands of players who are not
 */
export async function pollCommands(ctx: GatewayContext, request: PollRequest, players: Players): Promise<PollReply> {
  const { id } = request.gameServer.identity
  ctx.pollLimit.take(id)
  const seconds = Math.min(readPreferredWait(request.headers.prefer), maxWaitSeconds)
  const held = seconds > 0 ? ctx.heldPolls.enter(id) : undefined
  if (!held) return reply(await poll(ctx, request, players))
  request.call.signal?.addEventListener('abort', held.end)
  const endHold = request.hold(seconds * 1000)
  try {
    return reply(await pollUntilDue(ctx, request, players, { held, waitMs: seconds * 1000 }), seconds)
  } finally {
    endHold()
    held.leave()
  }
}

/**
 * Waits in slices, because streams and connections between processes wait no longer than that for a call when they close. Ends early,
 * and empty, when the gateway shuts down or the caller has disconnected.
 */
async function pollUntilDue(
  ctx: GatewayContext,
  request: PollRequest,
  players: Players,
  { held, waitMs }: { held: HeldPoll; waitMs: number },
): Promise<QueuedCommand[]> {
  const endsAt = performance.now() + waitMs
  for (;;) {
    const startedAt = performance.now()
    const sliceMs = Math.max(0, Math.round(Math.min(maxSliceMs, endsAt - startedAt)))
    const commands = await poll(ctx, request, players, { held, sliceMs }).catch((error: unknown) => {
      if (held.signal.aborted) return []
      throw error
    })
    if (commands.length > 0 || held.signal.aborted || performance.now() + minSliceMs >= endsAt) return commands
    // A replica that shuts down ends its calls early. This bounds how often the next one is called.
    const pauseMs = startedAt + minSliceMs - performance.now()
    if (pauseMs > 0) await setTimeout(pauseMs, undefined, { signal: held.signal }).catch(() => {})
  }
}

async function poll(
  { commandQueue, config }: GatewayContext,
  { gameServer, peerAddress, call }: PollRequest,
  players: Players,
  waiting?: { held: HeldPoll; sliceMs: number },
): Promise<QueuedCommand[]> {
  const request = { peerAddress, ...(players ?? { anyPlayer: true }), waitMs: waiting?.sliceMs ?? 0 }
  const options = waiting && {
    holdMs: waiting.sliceMs,
    deadlineMs: waiting.sliceMs + config.calls.timeoutMs,
    signal: waiting.held.signal,
  }
  const { commands } = await callAsServer(gameServer, (server) =>
    commandQueue.pollCommands({ ...server, ...request }, { ...call, ...options }),
  )
  return commands
}

function reply(commands: readonly QueuedCommand[], waitSeconds?: number): PollReply {
  const headers = waitSeconds === undefined ? undefined : { 'preference-applied': `wait=${waitSeconds}` }
  return { body: commands.map(queuedCommandDto), ...(headers && { headers }) }
}

const maxSliceMs = 10_000
const minSliceMs = 200

type Players = { steamIds: string[]; minecraftUuids: string[]; customerNames: string[] } | undefined

type PollReply = Reply<z.input<typeof queuedCommandSchema>[]>

type PollRequest = Pick<
  EndpointRequest<z.ZodObject, z.ZodObject, typeof preferHeader, z.ZodType, 'game-server'>,
  'gameServer' | 'headers' | 'peerAddress' | 'call' | 'hold'
>
