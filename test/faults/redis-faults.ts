import { createClient } from '@redis/client'
import type { BreakableServer } from '@storekeep/test/kit'
import type { TokenWatch } from './token-watch.ts'

/** Revokes tokens one after another in each state that Redis can be in; other probes go on meanwhile. */
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
  await revokeIn('Redis stopped')
  await revokeIn('Redis going on and stopped in turn', (round) => redis.kill(round % 2 === 0 ? 'SIGCONT' : 'SIGSTOP'))
  await redis.kill('SIGCONT')
}

async function flush(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect()
  await client.flushAll()
  await client.close()
}

/** Of each phase. */
interface Quota {
  revocations: number
  probes: number
}
