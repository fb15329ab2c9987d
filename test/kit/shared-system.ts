import { afterAll, inject } from 'vitest'
import { type Connection, connectTo } from './connection.ts'

/** The gateways of the system that all acceptance tests share. */
export const sharedGateways = { usual: 0, strict: 1 } as const

/** The shared system, for one test file. */
export async function useSharedSystem(): Promise<Connection> {
  const connection = await connectTo(inject('system'))
  afterAll(() => connection.disconnect())
  return connection
}
