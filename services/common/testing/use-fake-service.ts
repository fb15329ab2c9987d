import { afterAll, beforeAll } from 'vitest'
import { type BoundService, bind, createGrpcServer, type Handlers, type UnaryService } from '../src/grpc/index.ts'
import { createLogger } from '../src/log/index.ts'
import { createMetrics } from '../src/telemetry/index.ts'
import { serverOf, testIdentity } from './test-identity.ts'

/**
 * Starts a fake of a service over real gRPC, for all tests of a file. RPCs without an implementation fail.
 * @param name the process that it replaces
 */
export function useFakeService<S extends UnaryService>(
  definition: S,
  answers: Partial<Handlers<S>>,
  name = serverOf(definition),
): FakeService {
  return useFakeProcess(name, [fakeService(definition, answers)])
}

/** As `useFakeService`, for a process with several services. */
export function useFakeProcess(name: ReturnType<typeof serverOf>, services: BoundService[]): FakeService {
  const server = createGrpcServer({
    identity: testIdentity(name),
    services,
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
  })
  const fake = { address: '' }
  beforeAll(async () => {
    fake.address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
  })
  afterAll(() => server.stop(1000))
  return fake
}

/** A service of a fake process. RPCs without an implementation fail. */
export function fakeService<S extends UnaryService>(definition: S, answers: Partial<Handlers<S>>): BoundService {
  const fail = () => Promise.reject(new Error('this RPC has no fake implementation'))
  const failing = Object.fromEntries(Object.keys(definition.method).map((name) => [name, fail]))
  return bind(definition, { ...failing, ...answers } as Handlers<S>)
}

export interface FakeService {
  /** host:port; set when the tests run. */
  address: string
}
