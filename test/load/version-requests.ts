import { createExamples, createHttpClient, type Ids, operationsOf, pathOf } from '@storekeep/test/kit'
import type { Cluster, RequestKind } from '@storekeep/test/kit/cluster'

/**
 * Creates a record of every kind in a store that nothing changes afterwards.
 * @returns every read of them; a response that differs from the first one is a failure, except for additional fields
 */
export async function readsOfUnchangedStore(cluster: Cluster): Promise<RequestKind[]> {
  const store = await cluster.createStore({ game: 'minecraft' })
  const operations = operationsOf(cluster.contract.description)
  const { newChildren } = createExamples(operations, cluster.shopper)
  const reads = operations.filter(
    ({ method, auth, template }) => method === 'GET' && auth === 'key' && !template.includes('/dashboard/'),
  )
  const headers = { authorization: `APIKey ${store.apiKey}` }
  const paths: { name: string; path: string }[] = []
  for (const operation of reads)
    paths.push({ name: operation.name, path: pathOf(operation, store.id, await newChildren(store, operation)) })
  return await Promise.all(
    paths.map(async ({ name, path }) => {
      const first = await cluster.http.request('GET', path, { headers })
      if (first.status !== 200) throw new Error(`${name} returned ${first.status}: ${first.text}`)
      return {
        name: `${name} unchanged`,
        weight: 1,
        isRead: true,
        isKeyed: false,
        isMarked: false,
        make: () => ({ method: 'GET', path, headers }),
        problemIn: (body: unknown) => differenceBetween(first.body, body),
      }
    }),
  )
}

/**
 * Each call changes and deletes the records that the previous call created, and creates one of each kind: with a call after
 * every replacement, each version changes and deletes records of the other.
 * @returns of each call the number of requests, the responses that were not successful, and its records
 */
export async function createRecordCycle(cluster: Cluster): Promise<() => Promise<CycleResult>> {
  const operations = operationsOf(cluster.contract.description)
  const { newBody, newChild } = createExamples(operations, cluster.shopper)
  const patches = operations.filter(({ method, children }) => method === 'PATCH' && children.length === 1)
  const http = createHttpClient(cluster.balancer.url, { retries: true })
  const store = (await cluster.createStore({ game: 'minecraft' })).through(http)
  let ids: Ids = {}

  async function changeAndDelete(): Promise<Omit<CycleResult, 'created'>> {
    const failed: string[] = []
    const deletedRecords: ChangedRecord[] = []
    let sent = 0
    for (const patch of patches) {
      const parameter = patch.children[0] ?? ''
      if (ids[parameter] === undefined) continue
      const path = pathOf(patch, store.id, ids)
      const headers = { authorization: `APIKey ${store.apiKey}` }
      const changed = await http.request('PATCH', path, { headers, json: await newBody(store, patch) })
      const deletion = operations.find(({ method, template }) => method === 'DELETE' && template === patch.template)
      const deleted = deletion && (await http.request('DELETE', path, { headers }))
      if (deleted && deleted.status < 300) deletedRecords.push({ type: typeOf(parameter), id: ids[parameter] })
      for (const response of [changed, deleted]) {
        if (!response) continue
        sent += 1
        if (response.status >= 300) failed.push(`${response.method} ${path}: ${response.status} ${response.text}`)
      }
    }
    return { sent, failed, deleted: deletedRecords }
  }

  return async () => {
    const result = await changeAndDelete()
    const next: Record<string, string> = {}
    for (const parameter of patches.flatMap(({ children }) => children)) {
      result.sent += 1
      try {
        next[parameter] = await newChild(store, parameter)
      } catch (error) {
        result.failed.push(String(error))
      }
    }
    ids = next
    return { ...result, created: Object.entries(next).map(([parameter, id]) => ({ type: typeOf(parameter), id })) }
  }
}

/** `custom_variable` for `customVariableId` */
function typeOf(parameter: string): string {
  return parameter.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export interface CycleResult {
  sent: number
  failed: string[]
  created: ChangedRecord[]
  deleted: ChangedRecord[]
}

interface ChangedRecord {
  /** Named as in event subjects. */
  type: string
  id: string
}

/** Where `actual` lacks something of `expected` or has another value; undefined if nowhere. */
function differenceBetween(expected: unknown, actual: unknown, path = 'body'): string | undefined {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    if (expected === actual) return undefined
    return `${path} is ${JSON.stringify(actual)}, was ${JSON.stringify(expected)}`
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length)
    return `${path} has ${actual.length} items, had ${expected.length}`
  for (const [name, value] of Object.entries(expected)) {
    const found = differenceBetween(value, Object.entries(actual).find(([key]) => key === name)?.[1], `${path}.${name}`)
    if (found) return found
  }
  return undefined
}
