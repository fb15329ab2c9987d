import { afterAll, inject } from 'vitest'
import { type Connection, connectTo } from './connection.ts'

/** Indexes of the gateways of the system that all acceptance tests share. */
export const sharedGateways = { usual: 0, strict: 1 } as const

/** Connects a test file to the shared system, until the file ends. A busy machine may return 503: requests are retried. */
export async function useSharedSystem(): Promise<Connection> {
  const connection = await connectTo(inject('system'), { retries: true })
  afterAll(() => connection.disconnect())
  return connection
}
