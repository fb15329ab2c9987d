import { createClient } from '@redis/client'
import type { BreakableServer } from '@storekeep/test/kit'
import type { TokenWatch } from './token-watch.ts'

/** Revokes tokens one after another in each state of Redis: healthy, flushed, killed, paused and changing. */
export async function revokeThroughRedisFaults(
  watch: TokenWatch,
  redis: BreakableServer,
  atLeast: Quota,
): Promise<void> {
  async function revokeIn(phase: string, between?: (round: number) => Promise<void>): Promise<void> {
    watch.enter(phase)
    for (let round = 0; round < atLeast.revocations || watch.probesInPhase() < atLeast.probes; round++) {
      await watch.revokeOne(between && { between: () => between(round) })
    }
  }

  await revokeIn('Redis healthy')
  await revokeIn('Redis flushed after each revocation', () => flush(redis.url))
  await redis.kill('SIGKILL')
  await revokeIn('Redis killed')
  await revokeIn('Redis started and killed in turn', (round) => {
    return round % 2 === 0 ? redis.restart() : redis.kill('SIGKILL')
  })
  await redis.restart()
  await redis.kill('SIGSTOP')
  await revokeIn('Redis paused')
  await revokeIn('Redis resumed and paused in turn', (round) => redis.kill(round % 2 === 0 ? 'SIGCONT' : 'SIGSTOP'))
  await redis.kill('SIGCONT')
}

async function flush(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect()
  await client.flushAll()
  await client.close()
}

/** The minimum of each phase. */
interface Quota {
  revocations: number
  probes: number
}
