import { expect, vi } from 'vitest'
import { type Client, createClient, createGrpcTransport, type Transport, type UnaryService } from '../src/grpc/index.ts'
import { type Spawned, spawnEntry } from './spawn-entry.ts'

/** Runs the entry file of a service as a process of its own and waits until it listens. */
export async function spawnService<S extends UnaryService>(
  entry: URL,
  service: S,
  env: Record<string, string>,
): Promise<SpawnedService<S>> {
  const spawned = spawnEntry(entry, [], env)
  // A start takes a second, or half a minute on a machine that is busy.
  await vi.waitFor(() => expect(spawned.output.stdout).toMatch(listening), { timeout: 55_000 })
  const [, address = ''] = listening.exec(spawned.output.stdout) ?? []
  const transport = createGrpcTransport({ address })
  return { ...spawned, address, transport, client: createClient(service, transport) }
}

const listening = /"address":"([^"]+)"/

interface SpawnedService<S extends UnaryService> extends Spawned {
  /** host:port of gRPC. */
  address: string
  transport: Transport
  client: Client<S>
}
