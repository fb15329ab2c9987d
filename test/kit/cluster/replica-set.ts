import type { Exit } from '@storekeep/local/processes'
import type { ServiceProcess, Settings } from '../service-process.ts'

/**
 * The replicas of a service or of the gateway, as in Kubernetes: a new replica is listed once it is ready, and a stopping
 * one stays listed for a moment, because endpoint updates take time to propagate.
 */
export function createReplicaSet({ name, launch, list, unlist }: ReplicaSetOptions): ReplicaSet {
  const running: ServiceProcess[] = []
  let started = 0

  async function add(own: Settings = {}): Promise<ServiceProcess> {
    started += 1
    const replica = await launch(started, own)
    running.push(replica)
    await list(replica)
    return replica
  }

  function unlistSoon(replica: ServiceProcess): () => void {
    const timer = setTimeout(() => unlist(replica), propagationMs)
    return () => clearTimeout(timer)
  }

  async function end(replica: ServiceProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    running.splice(running.indexOf(replica), 1)
    unlistSoon(replica)
    await replica.kill(signal)
    return await replica.exited()
  }

  return {
    name,
    replicas: running,
    add,
    end,
    async replaceEach(signal, own) {
      for (const replica of [...running]) {
        await add(own)
        await end(replica, signal)
      }
    },
    async crash(replica) {
      const keepListed = unlistSoon(replica)
      await replica.kill('SIGKILL')
      await replica.restart()
      keepListed()
      await list(replica)
    },
  }
}

/** How long a replica stays listed after it has begun to stop. */
const propagationMs = 1_000

interface ReplicaSetOptions {
  name: string
  /** Starts a replica and resolves when it is ready; `number` counts from 1 and is never reused. */
  launch(number: number, own: Settings): Promise<ServiceProcess>
  /** Makes it discoverable. */
  list(replica: ServiceProcess): void | Promise<void>
  unlist(replica: ServiceProcess): void
}

export interface ReplicaSet {
  readonly name: string
  /** The replicas that were not told to stop, oldest first. */
  readonly replicas: readonly ServiceProcess[]
  /** @param own settings in addition to the shared ones */
  add(own?: Settings): Promise<ServiceProcess>
  /** Stops a replica permanently; resolves when it has exited. */
  end(replica: ServiceProcess, signal?: NodeJS.Signals): Promise<Exit>
  /**
   * A rolling restart: starts a new replica, then stops an old one, until all are new.
   * @param own settings of the new replicas in addition to the shared ones
   */
  replaceEach(signal?: NodeJS.Signals, own?: Settings): Promise<void>
  /** Kills a replica and restarts it at the same address, like a container in its pod. */
  crash(replica: ServiceProcess): Promise<void>
}
