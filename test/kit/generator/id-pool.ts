import type { HttpResponse } from '../http-client.ts'
import type { Description } from '../published-contract.ts'

/**
 * The ids and tokens of previous responses, so that later requests refer to existing records. The kind of a record follows
 * from the paths: ids listed by `/customers` are used for `{customerId}` and `customer_id`.
 */
export function createIdPool(description: Description): IdPool {
  const paths = Object.keys(description.paths)
  const kinds = [...new Set(paths.flatMap((path) => kindOfCollection(path, paths) ?? []))]
  const ids = new Map<string, string[]>()
  const parents = new Map<string, Record<string, string>>()
  const tokens: string[] = []
  const gameServerTokens: string[] = []

  return {
    take(template, response) {
      if (response.status >= 300) return
      for (const token of tokensOf(response.body)) (token.startsWith('skgs_') ? gameServerTokens : tokens).push(token)
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
      const kind = kindNamedBy(name, kinds) ?? kindOfCollection(template, paths) ?? ''
      const known = ids.get(kind) ?? []
      return known[draw % Math.max(1, known.length)] ?? unknownIds[draw % unknownIds.length] ?? ''
    },
    parentsOf: (id) => parents.get(id) ?? {},
    tokenFor: (draw) => recentOf(tokens, draw),
    gameServerTokenFor: (draw) => recentOf(gameServerTokens, draw),
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

function tokensOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const { token, customer_token } = body as Record<string, unknown>
  return [token, customer_token].filter((one) => typeof one === 'string')
}

function recentOf(tokens: readonly string[], draw: number): string | undefined {
  return tokens.at(-1 - (draw % Math.max(1, Math.min(tokens.length, 8))))
}

/**
 * The kind of record that a name refers to: the one at its end, and the longest of those. `deliveryItemId` is an `item`,
 * `gameServerId` a `gameserver`.
 */
function kindNamedBy(name: string, kinds: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '')
  const endOf = (kind: string) => {
    const word = kind.replaceAll('_', '')
    const start = plain.lastIndexOf(word)
    return start < 0 ? -1 : start + word.length
  }
  const named = kinds.filter((kind) => endOf(kind) >= 0)
  return named.sort((a, b) => endOf(b) - endOf(a) || b.length - a.length)[0]
}

/** The pool of one store. */
export interface IdPool {
  /** Adds the ids and tokens of a response and removes the id of a deleted record. */
  take(template: string, response: HttpResponse): void
  /** An id for a parameter or field of this name; an unknown one while the pool has none. */
  idFor(template: string, name: string, draw: number): string
  /** The parameters of the path that returned the id, so that a record is looked up below its own parent. */
  parentsOf(id: string): Readonly<Record<string, string>>
  /** A customer token. */
  tokenFor(draw: number): string | undefined
  gameServerTokenFor(draw: number): string | undefined
}
