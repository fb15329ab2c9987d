import { freePort } from '@storekeep/local/infra'
import { forEachService, type ServiceName, services } from '@storekeep/local/services'
import type { Connection } from '../connection.ts'
import type { Infra } from '../infra.ts'
import type { Settings } from '../service-process.ts'
import type { SystemAddress } from '../system-address.ts'
import { type EnvironmentOptions, inTestEnvironment, type TestEnvironment } from '../test-environment.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { startNameServer } from './name-server.ts'
import { createReplicaSet, type ReplicaSet } from './replica-set.ts'

/**
 * Starts the product as it runs in Kubernetes, on one machine: several replicas of every service and gateway. Replicas of a
 * service share a port on different addresses (127.0.0.2, 127.0.0.3 …) and are discovered through a DNS server; gateways are
 * behind a load balancer. Delays are as in the chart, without the sleep before SIGTERM.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return await inTestEnvironment(options, (environment) => start(options, environment))
}

async function start(
  { replicas = 2, settings = {}, only, versionOf = () => ({}) }: ClusterOptions,
  environment: TestEnvironment,
): Promise<Cluster> {
  const names = await startNameServer()
  environment.beforeStop(() => names.stop())
  const balancer = await startBalancer()
  environment.beforeStop(() => balancer.stop())
  const port = await freePort()
  const addresses = forEachService((name) => `dns://${names.address}/${hostOf(name)}:${port}`)

  const sets = forEachService((name) => {
    const options = environment.serviceOptions(name, {
      addresses,
      settings: { ...inCluster, ...settings.services, ...settings[name] },
    })
    return createReplicaSet({
      name,
      launch: (number, own) => {
        const version = versionOf(name)
        return environment.launch(`${name}-${number}`, {
          ...options,
          root: version.root,
          settings: { ...options.settings, ...version.settings, ...own },
          port,
          host: `127.0.${servicePlace(name)}.${number}`,
        })
      },
      list: ({ host }) => names.list(hostOf(name), host),
      unlist: ({ host }) => names.unlist(hostOf(name), host),
    })
  })
  const gatewayOptions = environment.gatewayOptions({
    addresses,
    settings: { ...inCluster, SHUTDOWN_DELAY_MS: '2000', ...settings.gateway },
  })
  const gateways = createReplicaSet({
    name: 'gateway',
    launch: (number, own) => {
      const version = versionOf('gateway')
      return environment.launch(`gateway-${number}`, {
        ...gatewayOptions,
        root: version.root,
        settings: { ...gatewayOptions.settings, ...version.settings, ...own },
      })
    },
    list: ({ url }) => balancer.add(url),
    unlist: ({ url }) => balancer.remove(url),
  })
  const chosen = services.filter(({ name }) => only?.includes(name) ?? true)
  const all = [...chosen.map(({ name }) => sets[name]), gateways]
  for (const set of all) await Promise.all(Array.from({ length: replicas }, () => set.add()))
  const connection = await environment.connect({
    gatewayUrls: [balancer.url],
    storesAddress: sets.stores.replicas[0]?.address ?? '',
    ordersAddress: sets.orders.replicas[0]?.address ?? '',
    metricsUrls: all.flatMap(({ replicas }) => replicas.map(({ metricsUrl }) => metricsUrl)),
  })
  return {
    ...connection,
    infra: environment.infra,
    databaseUrlOf: environment.databaseUrlOf,
    balancer,
    services: sets,
    gateways,
    all,
    stop: environment.stop,
  }
}

function hostOf(name: ServiceName): string {
  return `${name}.storekeep`
}

/** Gives each service different addresses. */
function servicePlace(name: ServiceName): number {
  return 1 + services.findIndex((service) => service.name === name)
}

/** grpc-js uses the DNS server in an address only with this setting. */
const inCluster: Settings = { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true', LOG_LEVEL: 'warn' }

/** Settings that make a process use the defaults of grpc-js; for negative controls. */
export function asGrpcJsDoes(control: 'pick-first' | 'slow-names' | 'no-retry-budget'): Settings {
  const preload = new URL('as-grpc-js-does.mjs', import.meta.url).pathname
  return { NODE_OPTIONS: `--import=${preload}`, NEGATIVE_CONTROL: control }
}

export interface ClusterOptions extends EnvironmentOptions {
  /** The initial number of each service and of the gateway; 2 by default. */
  replicas?: number
  settings?: Partial<Record<ServiceName | 'gateway' | 'services', Settings>>
  /** The services to start, which must include those they call; all by default. */
  only?: readonly ServiceName[]
  /** The version of a process, called for each start; this version by default. */
  versionOf?(name: ServiceName | 'gateway'): Version
}

/** A version of the product. */
export interface Version {
  /** The folder of its sources; this version by default. */
  root?: string
  /** Settings in addition to the shared ones. */
  settings?: Settings
}

export interface Cluster extends Connection {
  readonly address: SystemAddress
  readonly infra: Infra
  /** Connects as the owner of a schema. */
  databaseUrlOf(schema: string): string
  readonly balancer: Balancer
  readonly services: Readonly<Record<ServiceName, ReplicaSet>>
  readonly gateways: ReplicaSet
  /** The services, then the gateways. */
  readonly all: readonly ReplicaSet[]
  stop(): Promise<void>
}
