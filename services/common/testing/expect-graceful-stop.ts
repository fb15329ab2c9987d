import { expect } from 'vitest'
import { lockTable } from './lock-table.ts'
import type { spawnService } from './spawn-service.ts'

/**
 * Tells a service's process to stop in the middle of twenty calls: all of them are answered, and the process then
 * ends by itself without a complaint. There are more of them than the service has connections to Postgres, but not so
 * many that the last would wait for one for longer than a call may (2 s) on a machine that is busy; connecting takes
 * the longest, and is over before.
 * @param held a table without which no call is answered: it is let go when the stop has begun, so that calls that are
 * quick are in flight then too
 */
export async function expectGracefulStop(
  { child, exited, output, transport }: Pick<Spawned, 'child' | 'exited' | 'output' | 'transport'>,
  call: () => Promise<unknown>,
  held?: { databaseUrl: string; table: string },
): Promise<void> {
  await expect.poll(() => allAnswered(start(call)), { timeout: 20_000 }).toBe(true)
  const lock = held && (await lockTable(held.databaseUrl, held.table))
  const calls = start(call)
  // One that waits, or has been answered, says that the others have arrived as well: made in one turn, they travel in
  // one message.
  await (lock ? lock.awaited() : calls[0])
  child.kill('SIGTERM')
  if (lock) {
    await expect.poll(() => output.stdout, { interval: 5, timeout: 20_000 }).toContain('"msg":"stopping"')
    await lock.release()
  }
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'rejected')).toEqual([])
  transport.close()
  expect(await exited).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"msg":"stopped"') })
}

type Spawned = Awaited<ReturnType<typeof spawnService>>

function start(call: () => Promise<unknown>): Promise<unknown>[] {
  return Array.from({ length: 20 }, call)
}

async function allAnswered(calls: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.allSettled(calls)).every(({ status }) => status === 'fulfilled')
}
