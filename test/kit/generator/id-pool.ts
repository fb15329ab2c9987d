import type { HttpResponse } from '../http-client.ts'
import type { Description } from '../published-contract.ts'

/**
 * The ids and tokens of previous responses, so that later requests refer to existing records. The kind of a record follows
 * from the paths: ids listed by `/customers` are used for `{customerId}` and `customer_id`.
 */
export function createIdPool(description: Description): IdPool {
  const paths = Object.keys(description.paths)
  const kinds = [...new Set(paths.flatMap((path) => kindOfCollection(path, paths) ?? []))]
  // The longest first, so that a name is not matched by a shorter kind that it contains.
  kinds.sort((a, b) => b.length - a.length)
  const ids = new Map<string, string[]>()
  const parents = new Map<string, Record<string, string>>()
  const tokens: string[] = []

  return {
    take(template, response) {
      if (response.status >= 300) return
      takeTokens(response.body, tokens)
      const kind = kindOfCollection(template, paths)
      if (kind === undefined) return
      const known = ids.get(kind) ?? []
      if (response.method === 'DELETE' && template.endsWith('}')) {
        const id = response.path.split('/').at(-1) ?? ''
        ids.set(
          kind,
          known.filter((one) => one !== id),
        )
        return
      }
      const seen = [response.body].flat().flatMap(idOf)
      for (const id of seen) parents.set(id, parametersOf(template, response.path))
      ids.set(kind, [...new Set([...known, ...seen])].slice(-keptPerKind))
    },
    idFor(template, name, draw) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const kind = kinds.find((one) => snake.includes(one)) ?? kindOfCollection(template, paths) ?? ''
      const known = ids.get(kind) ?? []
      return known[draw % Math.max(1, known.length)] ?? unknownIds[draw % unknownIds.length] ?? ''
    },
    parentsOf: (id) => parents.get(id) ?? {},
    tokenFor: (draw) => tokens.at(-1 - (draw % Math.max(1, Math.min(tokens.length, 8)))),
  }
}

const keptPerKind = 50
const unknownIds = ['1', '411486491630370816', '4611686018427387904', '9223372036854775807']

/**
 * The kind of record that a path returns: `customer` for `/customers`, `/customers/{customerId}` and `/customers/lookup`,
 * undefined for paths below one customer.
 */
function kindOfCollection(template: string, paths: readonly string[]): string | undefined {
  const collection = paths
    .filter((path) => path.endsWith('}') && !path.endsWith('{storeId}'))
    .map((path) => path.slice(0, path.lastIndexOf('/')))
    .find((path) => template === path || new RegExp(`^${escapeBraces(path)}/[^/]+$`).test(template))
  return collection?.split('/').at(-1)?.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_')
}

/** The values of the parameters of a path, except for the store's. */
function parametersOf(template: string, path: string): Record<string, string> {
  const values = path.replace(/\?.*/, '').split('/')
  const isRecord = (part: string) => part.startsWith('{') && part !== '{storeId}'
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => (isRecord(part) ? [[part.slice(1, -1), values[index] ?? '']] : [])),
  )
}

function escapeBraces(text: string): string {
  return text.replace(/[{}]/g, '\\$&')
}

function idOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') return []
  return [item.id]
}

function takeTokens(body: unknown, tokens: string[]): void {
  if (typeof body !== 'object' || body === null) return
  for (const name of ['token', 'customer_token']) {
    const token = (body as Record<string, unknown>)[name]
    if (typeof token === 'string') tokens.push(token)
  }
}

/** The pool of one store. */
export interface IdPool {
  /** Adds the ids and tokens of a response and removes the id of a deleted record. */
  take(template: string, response: HttpResponse): void
  /** An id for a parameter or field of this name; an unknown one while the pool has none. */
  idFor(template: string, name: string, draw: number): string
  /** The parameters of the path that returned the id, so that a record is looked up below its own parent. */
  parentsOf(id: string): Readonly<Record<string, string>>
  tokenFor(draw: number): string | undefined
}
