import fc from 'fast-check'
import type { Description, Operation, Parameter } from '../published-contract.ts'
import { bodiesOf } from './body-arbitrary.ts'
import { idHole } from './id-hole.ts'
import { createSchemaArbitrary, type SchemaArbitrary } from './schema-arbitrary.ts'

/** A request before it is sent: ids are placeholders, and any part may still be broken. */
export interface RequestDraft {
  operation: DescribedOperation
  /** Path parameters by name. */
  path: Record<string, string>
  query: [name: string, text: string][]
  headers: Record<string, string | undefined>
  /** Undefined for no body. */
  json: unknown
  /** Sent unchanged instead of `json`. */
  raw?: string | Buffer
  credential: 'own' | 'none' | 'garbage' | 'of another store' | 'of the other scheme'
  /** Uses ids of another store. */
  isForeign: boolean
  /** Selects the store and the token. */
  draw: number
}

export interface DescribedOperation {
  /** `POST /v1/stores/{storeId}/bans` */
  name: string
  method: string
  template: string
  /** The accepted security schemes, "" for none. */
  schemes: readonly string[]
}

export interface RequestsOfOperation {
  operation: DescribedOperation
  drafts: fc.Arbitrary<RequestDraft>
}

/** Every documented operation with valid requests for it. */
export function describedRequests({ paths, components }: Description): RequestsOfOperation[] {
  const schemas = createSchemaArbitrary(components.schemas)
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([verb, operation = { responses: {} }]) => {
      const method = verb.toUpperCase()
      const schemes = (operation.security ?? []).map((scheme) => Object.keys(scheme)[0] ?? '')
      const described = { name: `${method} ${template}`, method, template, schemes }
      return { operation: described, drafts: requestsOf(described, operation, schemas) }
    }),
  )
}

function requestsOf(
  operation: DescribedOperation,
  { parameters = [], requestBody }: Operation,
  schemas: SchemaArbitrary,
): fc.Arbitrary<RequestDraft> {
  const within = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const path = Object.fromEntries(within('path').map(({ name }) => [name, idHole(name)]))
  const media = requestBody?.content['application/json']
  const body = media ? bodiesOf(media, schemas) : fc.constant(undefined)
  const mediaTypes = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'application/x+json',
  )
  return fc
    .record({
      path: fc.record(path),
      query: fc.tuple(...within('query').map((parameter) => queryOf(parameter, schemas))).map((parts) => parts.flat()),
      headers: fc.tuple(...within('header').map((parameter) => headerOf(parameter, schemas))),
      json: requestBody?.required ? body : fc.option(body, { nil: undefined, freq: 5 }),
      mediaType: mediaTypes,
      draw: fc.nat(),
    })
    .map(({ headers, mediaType, json, ...rest }) => ({
      operation,
      ...rest,
      json,
      headers: { ...Object.assign({}, ...headers), ...(json !== undefined && { 'content-type': mediaType }) },
      credential: 'own' as const,
      isForeign: false,
    }))
}

/** An optional parameter is present in a quarter of the requests. */
function queryOf(
  { name, required, style, schema }: Parameter,
  { valuesOf }: SchemaArbitrary,
): fc.Arbitrary<[string, string][]> {
  const pairs = valuesOf(schema, name).map((value): [string, string][] => {
    if (Array.isArray(value)) return value.map((item) => [name, asText(item)])
    if (style !== 'deepObject' || typeof value !== 'object' || value === null) return [[name, asText(value)]]
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, asText(item)])
  })
  return required
    ? pairs
    : fc.oneof({ weight: 3, arbitrary: fc.constant<[string, string][]>([]) }, { weight: 1, arbitrary: pairs })
}

function headerOf(
  { name, required, schema }: Parameter,
  { valuesOf }: SchemaArbitrary,
): fc.Arbitrary<Record<string, string>> {
  const values = valuesOf(schema, name).map(asText).filter(isHeaderText)
  const one = values.map((value) => ({ [name]: value }))
  return required ? one : fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: one })
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether an HTTP client can send the text in a header. */
export function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
