import type { ReplicaSet } from './replica-set.ts'

/** The number of calls each replica of a service has served, from its metrics. */
export async function countCalls({ replicas }: ReplicaSet): Promise<number[]> {
  return await Promise.all(
    replicas.map(async ({ metricsUrl }) => {
      const text = await (await fetch(metricsUrl)).text()
      const counts = text.matchAll(/^rpc_server_call_duration_seconds_count\{.*\} (\d+)$/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }),
  )
}
