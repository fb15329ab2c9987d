import { expect } from 'vitest'
import type { spawnService } from './spawn-service.ts'

/**
 * Tells a service's process to stop in the middle of `count` calls: all of them are answered, and the process then
 * ends by itself without a complaint. There are more of them than the service has connections to Postgres, but not so
 * many that the last would wait for one for longer than a call may (2 s) on a machine that is busy; connecting takes
 * the longest, and is over before.
 */
export async function expectGracefulStop(
  { child, exited, transport }: Pick<Awaited<ReturnType<typeof spawnService>>, 'child' | 'exited' | 'transport'>,
  call: () => Promise<unknown>,
  count = 20,
): Promise<void> {
  await expect.poll(() => allAnswered(start(call, count)), { timeout: 20_000 }).toBe(true)
  const calls = start(call, count)
  // The answer to the first one says that the others have arrived as well: made in one turn, they travel in one message.
  await calls[0]
  child.kill('SIGTERM')
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'rejected')).toEqual([])
  transport.close()
  expect(await exited).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"msg":"stopped"') })
}

function start(call: () => Promise<unknown>, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, call)
}

async function allAnswered(calls: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.allSettled(calls)).every(({ status }) => status === 'fulfilled')
}
