import type { BreakableServer } from '@storekeep/test/kit'
import { createClient } from 'redis'
import type { TokenWatch } from './token-watch.ts'

/** Revokes tokens one after another, `rounds` in each state that Redis can be in. */
export async function revokeThroughRedisFaults(
  watch: TokenWatch,
  redis: BreakableServer,
  rounds: number,
): Promise<void> {
  watch.enter('Redis healthy')
  for (let round = 0; round < rounds; round++) await watch.revokeOne()

  watch.enter('Redis flushed after each revocation')
  for (let round = 0; round < rounds; round++) await watch.revokeOne(() => flush(redis.url))

  watch.enter('Redis killed')
  await redis.kill('SIGKILL')
  for (let round = 0; round < rounds; round++) await watch.revokeOne()

  watch.enter('Redis restarted after the revocation')
  for (let round = 0; round < Math.ceil(rounds / 8); round++) {
    await watch.revokeOne(() => redis.restart())
    await watch.revokeOne(() => redis.kill('SIGKILL'))
  }
  await redis.restart()

  watch.enter('Redis stopped')
  await redis.kill('SIGSTOP')
  for (let round = 0; round < rounds; round++) await watch.revokeOne()

  watch.enter('Redis goes on')
  await redis.kill('SIGCONT')
  for (let round = 0; round < rounds; round++) {
    await watch.revokeOne(() => redis.kill(round % 2 === 0 ? 'SIGSTOP' : 'SIGCONT'))
  }
  await redis.kill('SIGCONT')
}

async function flush(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  await client.connect()
  await client.flushAll()
  await client.close()
}
