import { freePort } from '@storekeep/local/infra'
import { forEachService, type ServiceName, services } from '@storekeep/local/services'
import type { Connection } from './connection.ts'
import type { Infra } from './infra.ts'
import type { ServiceProcess, Settings } from './service-process.ts'
import type { SystemAddress } from './system-address.ts'
import { type EnvironmentOptions, inTestEnvironment, type TestEnvironment } from './test-environment.ts'
import type { SystemTls } from './tls.ts'

/**
 * Starts the product for one test with a separate database, stream and Redis prefix: every service and any number of
 * gateways, each in its own process. Resolves when all are ready.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  return await inTestEnvironment(options, (environment) => start(options, environment))
}

async function start(options: SystemOptions, environment: TestEnvironment): Promise<System> {
  const { settings = {}, gateways = [{}], only, tls } = options
  const running: Partial<Record<ServiceName, ServiceProcess>> = {}
  const addresses = forEachService(() => closedAddress)
  for (const name of calleesFirst()) {
    if (only && !only.includes(name)) continue
    const secure = tls && { ...tls.settingsOf(name), GRPC_TLS_CALLERS: tls.callersOf(name) }
    const own = { ...secure, ...settings[name] }
    const process = await environment.launch(name, environment.serviceOptions(name, { addresses, settings: own }))
    running[name] = process
    // Certificates are issued for names, not addresses.
    addresses[name] = tls ? `localhost:${process.port}` : process.address
  }
  const processes = running as Record<ServiceName, ServiceProcess>
  const gatewayOptions = environment.gatewayOptions({
    addresses,
    settings: { ...tls?.settingsOf('gateway'), ...settings.gateway },
  })
  const gatewayProcesses = await Promise.all(
    gateways.map((own, index) =>
      environment.launch(`gateway-${index}`, { ...gatewayOptions, settings: { ...gatewayOptions.settings, ...own } }),
    ),
  )
  const connection = await environment.connect({
    gatewayUrls: gatewayProcesses.map(({ url }) => url),
    metricsUrls: [...Object.values(processes), ...gatewayProcesses].map(({ metricsUrl }) => metricsUrl),
    storesAddress: addresses.stores,
    ordersAddress: addresses.orders,
    ...(tls && { tls: tls.filesOf('admin-tools') }),
  })
  return {
    ...connection,
    ...processes,
    infra: environment.infra,
    gateways: gatewayProcesses,
    stream: environment.stream,
    databaseUrlOf: environment.databaseUrlOf,
    stop: environment.stop,
  }
}

/** All services, so that each knows the addresses of the services that it calls when it starts. */
function calleesFirst(): Set<ServiceName> {
  const sorted = new Set<ServiceName>()
  const add = (name: ServiceName): void => {
    for (const callee of services.find((service) => service.name === name)?.calls ?? []) add(callee)
    sorted.add(name)
  }
  for (const { name } of services) add(name)
  return sorted
}

/**
 * Starts the whole product in one process: cheap, for tests that only send requests. It listens and calls as several
 * processes do.
 * @param gateways the settings of each gateway
 */
export async function startProduct(
  gateways: readonly Settings[],
  own: Partial<Record<'orders' | 'pages', Settings>> = {},
  options: EnvironmentOptions = {},
): Promise<Product> {
  return await inTestEnvironment(options, async (environment) => {
    const ports = new Map<ServiceName, number>()
    for (const { name } of services) ports.set(name, await freePort())
    const addresses = forEachService((name) => `127.0.0.1:${ports.get(name)}`)
    const serviceParts = services.map(({ name }) => ({
      ...environment.serviceOptions(name, { addresses, settings: name === 'orders' ? own.orders : {} }),
      port: ports.get(name),
    }))
    const gatewayParts = gateways.map((settings) => environment.gatewayOptions({ addresses, settings }))
    const pagesPort = await freePort()
    const pagesPart = environment.pagesOptions({
      addresses,
      port: pagesPort,
      settings: { ...amplyLimited, ...own.pages },
    })
    const { placed } = await environment.launchTogether([...serviceParts, ...gatewayParts, pagesPart])
    const connection = await environment.connect({
      gatewayUrls: placed.slice(services.length, -1).map(({ host, port }) => `http://${host}:${port}`),
      pagesUrl: `http://localhost:${pagesPort}`,
      metricsUrls: placed.map(({ metricsUrl }) => metricsUrl),
      storesAddress: addresses.stores,
      ordersAddress: addresses.orders,
      retries: true,
    })
    const { databaseUrlOf, throughPooler, stop } = environment
    return { ...connection, databaseUrlOf, throughPooler, stop }
  })
}

export interface Product extends Connection {
  readonly address: SystemAddress
  /** Connects as the owner of a service's schema. */
  databaseUrlOf(schema: string): string
  /** Replaces the server in a URL by the pooler, if there is one. */
  throughPooler(url: string): string
  stop(): Promise<void>
}

/** All tests call from one address. */
const amplyLimited = { RATE_LIMIT_ADDRESS_PER_MINUTE: '100000', RATE_LIMIT_FORM_ADDRESS_PER_MINUTE: '100000' }

/** An address at which nothing listens. */
const closedAddress = '127.0.0.1:9'

export interface SystemOptions extends EnvironmentOptions {
  /** The services to start, which must include those they call; all by default. */
  only?: readonly ServiceName[]
  /** The settings of each gateway process; one gateway by default. */
  gateways?: readonly Settings[]
  settings?: Partial<Record<ServiceName | 'gateway', Settings>>
  /** Uses mutual TLS between the processes. */
  tls?: SystemTls
}

export interface System extends Connection, Readonly<Record<ServiceName, ServiceProcess>> {
  readonly address: SystemAddress
  readonly infra: Infra
  readonly gateways: readonly ServiceProcess[]
  /** The name of the JetStream stream. */
  readonly stream: string
  /** Connects as the owner of a schema: "stores", "customers", or one of `schemas`. */
  databaseUrlOf(schema: string): string
  /** Stops everything and removes its data. TEST_KEEP_LOGS keeps the logs. */
  stop(): Promise<void>
}
