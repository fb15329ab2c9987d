import type { HttpResponse } from '../http-client.ts'
import type { Description } from '../published-contract.ts'

/**
 * The ids and tokens that answers have shown so far, so that later requests are about things that exist. What kind of
 * thing an id is of follows from the paths: what `/customers` lists is what `{customerId}` and `customer_id` mean.
 */
export function createIdPool(description: Description): IdPool {
  const paths = Object.keys(description.paths)
  const kinds = [...new Set(paths.flatMap((path) => kindOfCollection(path, paths) ?? []))]
  // The longest first: "custom_variable" must not be taken for a part of another name.
  kinds.sort((a, b) => b.length - a.length)
  const ids = new Map<string, string[]>()
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
      ids.set(kind, [...new Set([...known, ...seen])].slice(-keptPerKind))
    },
    idFor(template, name, draw) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const kind = kinds.find((one) => snake.includes(one)) ?? kindOfCollection(template, paths) ?? ''
      const known = ids.get(kind) ?? []
      return known[draw % Math.max(1, known.length)] ?? unknownIds[draw % unknownIds.length] ?? ''
    },
    tokenFor: (draw) => tokens.at(-1 - (draw % Math.max(1, Math.min(tokens.length, 8)))),
  }
}

const keptPerKind = 50
const unknownIds = ['1', '411486491630370816', '4611686018427387904', '9223372036854775807']

/**
 * The kind of what a path is about, when its answers are of the collection: `customer` for `/customers`,
 * `/customers/{customerId}` and `/customers/lookup`, none for what lies below one customer.
 */
function kindOfCollection(template: string, paths: readonly string[]): string | undefined {
  const collection = paths
    .filter((path) => path.endsWith('}') && !path.endsWith('{storeId}'))
    .map((path) => path.slice(0, path.lastIndexOf('/')))
    .find((path) => template === path || new RegExp(`^${escapeBraces(path)}/[^/]+$`).test(template))
  return collection?.split('/').at(-1)?.replace(/s$/, '').replaceAll('-', '_')
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
  /** Remembers what a response shows, and forgets what is gone. */
  take(template: string, response: HttpResponse): void
  /** An id for a parameter or member of this name; one that does not exist while none is known. */
  idFor(template: string, name: string, draw: number): string
  tokenFor(draw: number): string | undefined
}
