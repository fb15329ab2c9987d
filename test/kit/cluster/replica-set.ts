import type { Exit } from '@storekeep/local/processes'
import type { ServiceProcess, Settings } from '../service-process.ts'

/**
 * The replicas of a service, or of the gateway, as Kubernetes has them: a new one is found by others once it is ready, one
 * that ends is still found for a moment, since the news take time to get round.
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
    const timer = setTimeout(() => unlist(replica), newsTravelMs)
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
    async replaceEach(signal) {
      for (const replica of [...running]) {
        await add()
        await end(replica, signal)
      }
    },
    async crash(replica) {
      const stay = unlistSoon(replica)
      await replica.kill('SIGKILL')
      await replica.restart()
      stay()
      await list(replica)
    },
  }
}

/** From the end of a replica to the moment in which the last one has heard that it is no longer to be found. */
const newsTravelMs = 1_000

interface ReplicaSetOptions {
  name: string
  /** Starts one, and resolves when it is ready; `number` counts from 1 and never comes again. */
  launch(number: number, own: Settings): Promise<ServiceProcess>
  /** Lets others find it. */
  list(replica: ServiceProcess): void | Promise<void>
  unlist(replica: ServiceProcess): void
}

export interface ReplicaSet {
  readonly name: string
  /** Those that have not been told to end, the oldest first. */
  readonly replicas: readonly ServiceProcess[]
  /** With settings of its own, beside those of all. */
  add(own?: Settings): Promise<ServiceProcess>
  /** Ends one for good; resolves when it is gone. */
  end(replica: ServiceProcess, signal?: NodeJS.Signals): Promise<Exit>
  /** A rolling restart: a new one, and when that is ready, the end of an old one, until all are new. */
  replaceEach(signal?: NodeJS.Signals): Promise<void>
  /** SIGKILL, and a start at the same place, as a container comes back in its pod. */
  crash(replica: ServiceProcess): Promise<void>
}
