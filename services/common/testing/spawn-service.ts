import { expect, vi } from 'vitest'
import { type Client, createClient, type Transport, type UnaryService } from '../src/grpc/index.ts'
import { type Spawned, spawnEntry } from './spawn-entry.ts'
import { createTestTransport, serverOf } from './test-identity.ts'

/** Runs the entry file of a service in a separate process and waits until it listens. */
export async function spawnService<S extends UnaryService>(
  entry: URL,
  service: S,
  env: Record<string, string>,
): Promise<SpawnedService<S>> {
  const spawned = spawnEntry(entry, [], env)
  // Takes a second, or much longer on a busy machine.
  await vi.waitFor(() => expect(spawned.output.stdout).toMatch(listening), { timeout: 60_000 })
  const [, address = ''] = listening.exec(spawned.output.stdout) ?? []
  const transport = createTestTransport(serverOf(service), address)
  return { ...spawned, address, transport, client: createClient(service, transport) }
}

const listening = /"address":"([^"]+)"/

interface SpawnedService<S extends UnaryService> extends Spawned {
  /** host:port of the gRPC server. */
  address: string
  transport: Transport
  client: Client<S>
}
