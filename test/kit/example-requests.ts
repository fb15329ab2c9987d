import { fresh } from './fresh.ts'
import type { Operation } from './operations.ts'
import type { TestStore } from './test-store.ts'

/**
 * Makes requests that a store answers with success, from the examples in the description: what has to be unique is made
 * so, and what names another record names one of the store, which the POST of its collection makes.
 */
export function createExamples(operations: readonly Operation[]): Examples {
  /** The POST on the collection whose items the path parameter names. */
  function makerOf(parameter: string): Operation | undefined {
    const item = operations.find(({ template }) => template.includes(`/{${parameter}}`))
    const collection = item?.template.split(`/{${parameter}}`)[0]
    return operations.find(({ method, template }) => method === 'POST' && template === collection)
  }

  async function newChild(store: TestStore, parameter: string): Promise<string> {
    const maker = makerOf(parameter)
    if (!maker) throw new Error(`Nothing in the description makes what {${parameter}} names.`)
    const path = maker.template.replace('/v1/stores/{storeId}', '')
    const { status, text, body } = await store.post<{ id: string }>(path, await newBody(store, maker.bodyExample))
    if (status !== maker.success) throw new Error(`${maker.name} answered its own example with ${status} ${text}`)
    return body.id
  }

  async function newBody(store: TestStore, example: unknown, member = ''): Promise<unknown> {
    if (Array.isArray(example)) return await Promise.all(example.map((item) => newBody(store, item, member)))
    if (typeof example === 'object' && example !== null) {
      const made = Object.entries(example).map(
        async ([name, value]) => [name, await newBody(store, value, name)] as const,
      )
      return Object.fromEntries(await Promise.all(made))
    }
    if (typeof example !== 'string') return example
    const parameter = parameterOf(member)
    return makerOf(parameter) ? await newChild(store, parameter) : (unique[member]?.() ?? example)
  }

  function namesRecords(example: unknown, member = ''): boolean {
    if (typeof example === 'string') return makerOf(parameterOf(member)) !== undefined
    if (typeof example !== 'object' || example === null) return false
    return Object.entries(example).some(([name, value]) => namesRecords(value, Array.isArray(example) ? member : name))
  }

  return {
    newChild,
    newBody: (store, operation) => newBody(store, operation.bodyExample),
    async newChildren(store, { children, template }) {
      const needed = [...children, ...(template.endsWith('/lookup') ? ['customerId'] : [])]
      const made = needed.map(async (parameter) => [parameter, await newChild(store, parameter)] as const)
      return Object.fromEntries(await Promise.all(made))
    },
    namesRecords: (operation) => namesRecords(operation.bodyExample),
  }
}

/** The path of an operation in a store, and the query without which it says nothing. */
export function pathOf({ template }: Operation, storeId: string, ids: Ids): string {
  const path = template.replace('{storeId}', storeId).replace(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? '')
  return template.endsWith('/lookup') ? `${path}?id=${ids.customerId}` : path
}

/** `product_id` is what `{productId}` names. */
function parameterOf(member: string): string {
  const named = member.replace(/^(usable_by|gift_to)_/, '').replace(/_ids$/, '_id')
  return named.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** What no two records of a store may have in common. */
const unique: Readonly<Record<string, () => string>> = {
  code: fresh.name,
  identifier: fresh.name,
  slug: fresh.name,
  steam_id: fresh.steamId,
  minecraft_uuid: fresh.uuid,
  xbox_xuid: fresh.xuid,
}

/** By the name of the path parameter. */
export type Ids = Readonly<Record<string, string>>

interface Examples {
  /** The id of a new record of the kind that a path parameter names. */
  newChild(store: TestStore, parameter: string): Promise<string>
  /** New records for all that the path of an operation names. */
  newChildren(store: TestStore, operation: Operation): Promise<Ids>
  /** A body whose records are all of this store; undefined when the operation takes none. */
  newBody(store: TestStore, operation: Operation): Promise<unknown>
  /** Whether its body names records by their ids. */
  namesRecords(operation: Operation): boolean
}
