import { fresh, type ServiceProcess, type System, type TestStore, waitFor } from '@storekeep/test/kit'
import { expect } from 'vitest'
import { lockCustomer } from './row-lock.ts'

/**
 * Sends SIGTERM to a process while a write through it waits for a row lock: the write must succeed, and the process must
 * exit with code 0. Restarts it afterwards.
 * @param draining resolves when the process has begun to stop
 */
export async function expectStopToFinishRequest(
  system: System,
  store: TestStore,
  stopped: ServiceProcess,
  draining: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { body } = await store.post<{ id: string }>('/customers', { name: fresh.name() })
  const lock = await lockCustomer(system.address.adminUrl, body.id)
  const renamed = fresh.name()
  const inFlight = store.patch<{ name: string }>(`/customers/${body.id}`, { name: renamed })
  await lock.waiting(1)
  await stopped.kill('SIGTERM')
  await draining()
  await lock.release()
  const response = await inFlight
  expect(response.status, response.text).toBe(200)
  expect(response.body.name).toBe(renamed)
  expect(await stopped.exited()).toEqual({ code: 0, signal: null })
  await stopped.restart()
  await waitFor('it to serve again', async () => (await store.post('/customers', { name: 'x' })).status === 200)
}
