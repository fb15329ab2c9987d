import fc from 'fast-check'
import {
  credentials,
  fieldNames,
  headerNames,
  headerTexts,
  hostileTexts,
  hostileValues,
  mediaTypes,
  parameterNames,
  rawBodies,
} from './hostile-values.ts'
import type { RequestDraft } from './request-draft.ts'

/** Ways to break a request, as functions from one draft to the next. */
export const breaks: fc.Arbitrary<Break> = fc.oneof<fc.WeightedArbitrary<Break>[]>(
  { weight: 6, arbitrary: fc.tuple(fc.nat(), hostileValues()).map(([where, value]) => replaceInBody(where, value)) },
  { weight: 3, arbitrary: fc.nat().map(removeFromBody) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), fieldNames(), hostileValues()).map((parts) => addToBody(...parts)) },
  { weight: 1, arbitrary: hostileValues().map((json) => (draft) => ({ ...draft, json })) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }).map(nestBody) },
  { weight: 2, arbitrary: rawBodies().map((raw) => (draft) => ({ ...draft, raw })) },
  { weight: 1, arbitrary: mediaTypes().map((type) => setHeader('content-type', type)) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(), hostileTexts()).map(([where, text]) => replaceInPath(where, text)) },
  { weight: 2, arbitrary: fc.tuple(parameterNames(), hostileTexts()).map(([name, text]) => addToQuery(name, text)) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), hostileTexts()).map(([where, text]) => changeQuery(where, text)) },
  { weight: 2, arbitrary: fc.tuple(headerNames(), headerTexts()).map(([name, text]) => setHeader(name, text)) },
  { weight: 2, arbitrary: fc.constant((draft) => ({ ...draft, isForeign: true })) },
  { weight: 1, arbitrary: credentials().map((credential) => (draft) => ({ ...draft, credential })) },
)

function replaceInBody(where: number, value: unknown): Break {
  return changeBody((json) => {
    const places = placesIn(json)
    const place = places[where % Math.max(1, places.length)]
    if (place) place.holder[place.key] = value
  })
}

function removeFromBody(where: number): Break {
  return changeBody((json) => {
    const places = placesIn(json)
    const place = places[where % Math.max(1, places.length)]
    if (place) delete place.holder[place.key]
  })
}

function addToBody(where: number, name: string, value: unknown): Break {
  return changeBody((json) => {
    const holders = [...new Set([json, ...placesIn(json).map(({ holder }) => holder)])]
    const holder = holders[where % holders.length]
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return
    // Creates an own property even if the name is "__proto__".
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  })
}

function changeBody(change: (json: unknown) => void): Break {
  return (draft) => {
    const json = structuredClone(draft.json ?? {})
    change(json)
    return { ...draft, json }
  }
}

function nestBody(depth: number): Break {
  return (draft) => {
    let json = draft.json
    for (let level = 0; level < depth; level += 1) json = level % 2 === 0 ? [json] : { a: json }
    return { ...draft, json }
  }
}

function replaceInPath(where: number, text: string): Break {
  return (draft) => {
    const names = Object.keys(draft.path)
    const name = names[where % Math.max(1, names.length)]
    return name === undefined ? draft : { ...draft, path: { ...draft.path, [name]: text } }
  }
}

function addToQuery(name: string, text: string): Break {
  return (draft) => ({ ...draft, query: [...draft.query, [name, text]] })
}

/** Replaces the value of a parameter with a hostile one, or repeats the parameter. */
function changeQuery(where: number, text: string): Break {
  return (draft) => {
    const index = where % Math.max(1, draft.query.length)
    const pair = draft.query[index]
    if (!pair) return addToQuery('limit', text)(draft)
    const changed: [string, string] = [pair[0], text]
    return { ...draft, query: where % 3 === 0 ? [...draft.query, changed] : draft.query.with(index, changed) }
  }
}

function setHeader(name: string, text: string | undefined): Break {
  return (draft) => ({ ...draft, headers: { ...draft.headers, [name]: text } })
}

/** Every field and item at any depth of a value. */
function placesIn(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

type Break = (draft: RequestDraft) => RequestDraft
