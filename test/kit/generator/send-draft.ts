import type { HttpClient, HttpResponse } from '../http-client.ts'
import type { Description } from '../published-contract.ts'
import type { TestStore } from '../test-store.ts'
import { fillHoles, isHole } from './id-hole.ts'
import { createIdPool, type IdPool } from './id-pool.ts'
import type { RequestDraft } from './request-draft.ts'

/**
 * Sends each draft to one of the stores, with the ids of records that earlier drafts have created there.
 * @param stores at least two, so that the credential of one can be used with another
 */
export function createDraftSender(
  http: HttpClient,
  description: Description,
  stores: readonly TestStore[],
): (draft: RequestDraft) => Promise<HttpResponse> {
  const targets = stores.map((store) => ({ store, pool: createIdPool(description) }))
  const at = (index: number) => {
    const target = targets[index % targets.length]
    if (!target) throw new RangeError('No stores were given.')
    return target
  }

  return async (draft) => {
    const { operation, draw, isForeign } = draft
    const { store, pool } = at(draw)
    const ids = isForeign ? at(draw + 1).pool : pool
    const idFor = (name: string, idDraw: number) =>
      /store_?id/i.test(name.replaceAll('-', '_')) ? store.id : ids.idFor(operation.template, name, idDraw)
    const fill = <T>(value: T) => fillHoles(value, idFor) as T
    const path = fill(draft.path)
    const parents = ids.parentsOf(Object.values(path).at(-1) ?? '')
    for (const [name, id] of Object.entries(parents)) if (isHole(draft.path[name])) path[name] = id
    const authorization = credentialOf(draft, store, at(draw + 1).store, pool)
    const response = await http.request(operation.method, urlOf(operation.template, path, fill(draft.query)), {
      ...(draft.raw === undefined ? { json: fill(draft.json) } : { raw: draft.raw }),
      headers: { authorization, ...fill(draft.headers) },
    })
    pool.take(operation.template, response)
    return response
  }
}

function credentialOf(
  { operation, credential, draw }: RequestDraft,
  own: TestStore,
  other: TestStore,
  pool: IdPool,
): string | undefined {
  const { schemes } = operation
  if (credential === 'none' || (schemes.includes('') && draw % 3 === 0)) return undefined
  if (schemes.includes('GameServer')) {
    if (credential === 'garbage') return 'Gameserver skgs_00garbage'
    const gameServer = pool.gameServerTokenFor(draw)
    if (credential === 'own') return gameServer === undefined ? undefined : `Gameserver ${gameServer}`
    return `APIKey ${credential === 'of another store' ? other.apiKey : own.apiKey}`
  }
  const takesKey = schemes.includes('APIKey')
  if (credential === 'garbage') return takesKey ? 'APIKey skapi_00garbage' : 'Customer skcus_00garbage'
  if (credential === 'of another store') return `APIKey ${other.apiKey}`
  const usesKey = takesKey === (credential === 'own')
  if (usesKey) return `APIKey ${own.apiKey}`
  const token = pool.tokenFor(draw)
  return token === undefined ? undefined : `Customer ${token}`
}

/**
 * The path and query within the limits of the server, which closes the connection for more than 8 KiB of headers.
 * Parameters that do not fit are omitted.
 */
function urlOf(template: string, path: Record<string, string>, query: readonly [string, string][]): string {
  const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) => encode((path[name] ?? '').slice(0, 300)))
  let url = filled
  for (const [name, text] of query) {
    const longer = `${url}${url === filled ? '?' : '&'}${encode(name)}=${encode(text)}`
    if (longer.length <= maxUrlLength) url = longer
  }
  return url
}

const maxUrlLength = 6_000

/** Replaces lone surrogates, which cannot be encoded. */
function encode(text: string): string {
  return text === '%zz' ? text : encodeURIComponent(text.toWellFormed())
}
