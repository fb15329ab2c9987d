import type { HttpClient, HttpResponse } from '../http-client.ts'
import type { Description } from '../published-contract.ts'
import type { TestStore } from '../test-store.ts'
import { fillHoles } from './id-hole.ts'
import { createIdPool } from './id-pool.ts'
import type { RequestDraft } from './request-draft.ts'

/**
 * Sends drafts to some stores, each draft to one of them, with the ids of what earlier drafts have made there.
 * @param stores at least two: the credential of one is what another must refuse
 */
export function createDraftSender(
  http: HttpClient,
  description: Description,
  stores: readonly TestStore[],
): (draft: RequestDraft) => Promise<HttpResponse> {
  const places = stores.map((store) => ({ store, pool: createIdPool(description) }))
  const at = (index: number) => {
    const place = places[index % places.length]
    if (!place) throw new RangeError('There are no stores.')
    return place
  }

  return async (draft) => {
    const { operation, draw, isForeign } = draft
    const { store, pool } = at(draw)
    const ids = isForeign ? at(draw + 1).pool : pool
    const idFor = (name: string, idDraw: number) =>
      /store_?id/i.test(name.replaceAll('-', '_')) ? store.id : ids.idFor(operation.template, name, idDraw)
    const fill = <T>(value: T) => fillHoles(value, idFor) as T
    const authorization = credentialOf(draft, store, at(draw + 1).store, pool.tokenFor(draw))
    const response = await http.request(
      operation.method,
      addressOf(operation.template, fill(draft.path), fill(draft.query)),
      {
        ...(draft.raw === undefined ? { json: fill(draft.json) } : { raw: draft.raw }),
        headers: { authorization, ...fill(draft.headers) },
      },
    )
    pool.take(operation.template, response)
    return response
  }
}

function credentialOf(
  { operation, credential, draw }: RequestDraft,
  own: TestStore,
  other: TestStore,
  token: string | undefined,
): string | undefined {
  const { schemes } = operation
  if (credential === 'none' || (schemes.includes('') && draw % 3 === 0)) return undefined
  const takesKey = schemes.includes('APIKey')
  if (credential === 'garbage') return takesKey ? 'APIKey skapi_00garbage' : 'Customer skcus_00garbage'
  if (credential === 'of another store') return `APIKey ${other.apiKey}`
  const usesKey = takesKey === (credential === 'own')
  if (usesKey) return `APIKey ${own.apiKey}`
  return token === undefined ? undefined : `Customer ${token}`
}

/**
 * The address within what a server takes: with more than 8 KiB of headers it ends the connection before there is a request
 * that any operation could response. Parameters that do not fit are left out.
 */
function addressOf(template: string, path: Record<string, string>, query: readonly [string, string][]): string {
  const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) => encode((path[name] ?? '').slice(0, 300)))
  let address = filled
  for (const [name, text] of query) {
    const longer = `${address}${address === filled ? '?' : '&'}${encode(name)}=${encode(text)}`
    if (longer.length <= maxAddressLength) address = longer
  }
  return address
}

const maxAddressLength = 6_000

/** Half a character cannot be written into an address at all. */
function encode(text: string): string {
  return text === '%zz' ? text : encodeURIComponent(text.toWellFormed())
}
