import { expect } from 'vitest'
import { lockTable } from './lock-table.ts'
import type { spawnService } from './spawn-service.ts'

/**
 * Sends SIGTERM to a service while twenty calls are in flight: all must succeed, and the process must exit with code 0
 * and an empty stderr. Twenty is more than the connections to Postgres, but few enough that none waits for a connection
 * longer than the limit of 2 s on a busy machine.
 * @param held a table that every call needs. It stays locked until the stop has begun, so that quick calls are in flight
 */
export async function expectGracefulStop(
  { child, exited, output, transport }: Pick<Spawned, 'child' | 'exited' | 'output' | 'transport'>,
  call: () => Promise<unknown>,
  held?: { databaseUrl: string; table: string },
): Promise<void> {
  await expect.poll(() => allSucceed(start(call)), { timeout: 60_000 }).toBe(true)
  const lock = held && (await lockTable(held.databaseUrl, held.table))
  const calls = start(call)
  // All calls are sent in one message, so when one has arrived the others have as well.
  await (lock ? lock.awaited() : calls[0])
  child.kill('SIGTERM')
  if (lock) {
    await expect.poll(() => output.stdout, { interval: 5, timeout: 60_000 }).toContain('"msg":"stopping"')
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

async function allSucceed(calls: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.allSettled(calls)).every(({ status }) => status === 'fulfilled')
}
