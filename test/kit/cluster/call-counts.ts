import type { ReplicaSet } from './replica-set.ts'

/** How many calls each replica of a service has answered, by its own metrics, in the order of the replicas. */
export async function countCalls({ replicas }: ReplicaSet): Promise<number[]> {
  return await Promise.all(
    replicas.map(async ({ metricsUrl }) => {
      const text = await (await fetch(metricsUrl)).text()
      const counts = text.matchAll(/^rpc_server_call_duration_seconds_count\{.*\} (\d+)$/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }),
  )
}
