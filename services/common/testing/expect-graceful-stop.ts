import { expect } from 'vitest'
import type { spawnService } from './spawn-service.ts'

/**
 * Tells a service's process to stop in the middle of `count` calls: all of them are answered, and the process then
 * ends by itself without a complaint.
 */
export async function expectGracefulStop(
  { child, exited, transport }: Pick<Awaited<ReturnType<typeof spawnService>>, 'child' | 'exited' | 'transport'>,
  call: () => Promise<unknown>,
  count = 50,
): Promise<void> {
  await call()
  const calls = Array.from({ length: count }, call)
  // The answer to the first one says that the others have arrived as well: they share a connection.
  await calls[0]
  child.kill('SIGTERM')
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === 'rejected')).toEqual([])
  transport.close()
  expect(await exited).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('"msg":"stopped"') })
}
