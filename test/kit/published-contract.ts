import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { createHttpClient, type HttpResponse } from './http-client.ts'

/**
 * Validates responses against /openapi.json of the gateway: the operation and status are listed, and the body matches the
 * schema of the status with every field (explicit nulls) and no other. Unlisted paths and methods must return 404 or 405
 * with a ServiceError. The test files of a worker share the contract of a document, because compiling its schemas takes long.
 */
export async function loadPublishedContract(baseUrl: string): Promise<PublishedContract> {
  const http = createHttpClient(baseUrl)
  const { status, body, text } = await http.request<Description>('GET', '/openapi.json')
  http.close()
  if (status !== 200) throw new Error(`/openapi.json returned ${status}`)
  const contract = contracts.get(text) ?? contractOf(body)
  contracts.set(text, contract)
  return contract
}

const contracts = new Map<string, PublishedContract>()

function contractOf(body: Description): PublishedContract {
  // Optimized validators take longer to compile than they save. That the document is valid is tested with the gateway.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } })
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  ajv.addSchema(demandEveryMember(structuredClone(body)) as object, 'contract')
  const routes = compileRoutes(body)
  const validators = new Map<string, ValidateFunction>()

  function validatorAt(pointer: readonly string[]): ValidateFunction {
    const key = `contract#/${pointer.map(escapePointer).join('/')}`
    const known = validators.get(key) ?? ajv.compile({ $ref: key })
    validators.set(key, known)
    return known
  }

  return {
    description: body,
    check(response) {
      const path = documentedPath(response.path.split('?')[0] ?? '')
      const method = response.method.toLowerCase()
      const route = routes.find(({ pattern }) => pattern.test(path))
      const operation = route?.operations[method]
      if (route === undefined || operation === undefined) return checkUnlisted(response, route !== undefined)
      const statuses = Object.keys(operation.responses)
      if (!statuses.includes(String(response.status))) {
        fail(response, `returned ${response.status}; documented are ${statuses.join(', ')}`)
      }
      const content = operation.responses[String(response.status)]?.content
      if (content === undefined) {
        if (response.text !== '') fail(response, `returned ${response.status} with an undocumented body`)
        return
      }
      if (!response.headers['content-type']?.startsWith('application/json')) {
        fail(response, `returned the content-type ${response.headers['content-type']}`)
      }
      const at = [
        'paths',
        route.path,
        method,
        'responses',
        String(response.status),
        'content',
        'application/json',
        'schema',
      ]
      report(response, validatorAt(at))
    },
  }

  function checkUnlisted(response: HttpResponse, isPathListed: boolean): void {
    if (isUndescribed(response.path) || response.method === 'OPTIONS' || response.method === 'HEAD') return
    const expected = isPathListed ? [405] : [404]
    if (!expected.includes(response.status)) fail(response, `is undocumented but returned ${response.status}`)
    report(response, validatorAt(['components', 'schemas', 'ServiceError']))
  }
}

/** The interface for game servers ignores a trailing slash, which plugins send: the path without it is documented. */
function documentedPath(path: string): string {
  return path.startsWith('/v1/delivery/') ? path.replace(/\/$/, '') : path
}

/** Pages outside the API: health, metrics and the OpenAPI document. */
function isUndescribed(path: string): boolean {
  return !path.startsWith('/v1/') && /^\/(openapi\.json|docs|healthz|readyz|metrics)/.test(path)
}

function report(response: HttpResponse, validate: ValidateFunction): void {
  if (!validate(response.body)) {
    const wrong = (validate.errors ?? []).slice(0, 8).map(describe).join('; ')
    fail(
      response,
      `returned ${response.status} with a body that does not match its schema: ${wrong}: ${response.text.slice(0, 600)}`,
    )
  }
  const dates = wrongDates(response.body, '')
  if (dates.length > 0)
    fail(response, `returned dates that are not RFC 3339 in UTC with milliseconds: ${dates.join(', ')}`)
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}

function fail(response: HttpResponse, what: string): never {
  throw new ContractViolation(`${response.method} ${response.path} ${what}`)
}

/** Fields named like timestamps must have the documented format, regardless of their schema. */
function wrongDates(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => wrongDates(item, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const here = `${path}/${name}`
    if (name === 'metadata') return []
    if (!/_(at|until)$/.test(name) || typeof item !== 'string') return wrongDates(item, here)
    return dateTime.test(item) ? [] : [`${here} ${item}`]
  })
}

/** Makes every field of every object schema required and forbids others. */
function demandEveryMember(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(demandEveryMember)
  if (typeof schema !== 'object' || schema === null) return schema
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    // Examples are data, and request schemas are not checked here.
    const isExempt = name === 'example' || name === 'examples' || name === 'requestBody' || leavingOut.has(name)
    changed[name] = isExempt ? value : demandEveryMember(value)
  }
  if (isRecord(changed.properties) && changed.type === 'object') {
    changed.required = Object.keys(changed.properties)
    changed.additionalProperties ??= false
  }
  return changed
}

/** What game servers get has no field without a value, because their libraries read each field that is present. */
const leavingOut = new Set(['QueuedCommandDto', 'LinkGameServerResponseDto'])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function compileRoutes(description: Description): Route[] {
  return Object.entries(description.paths)
    .map(([path, operations]) => ({
      path,
      operations,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    }))
    .sort((a, b) => parameterCount(a.path) - parameterCount(b.path))
}

function parameterCount(path: string): number {
  return path.split('{').length
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const formats: Record<string, RegExp | true> = {
  'date-time': dateTime,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  duration: /^P/,
  int32: true,
  int64: true,
  ipv4: true,
  ipv6: true,
}

/** A response that does not match /openapi.json. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  security?: Record<string, string[]>[]
  /** The scope that an API key needs. */
  'x-scope'?: string
  responses: Record<string, { content?: Record<string, { schema?: unknown; example?: unknown; examples?: unknown }> }>
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  style?: string
  schema: JsonSchema
}

/** The JSON Schema keywords that /openapi.json uses. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  maxProperties?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  example?: unknown
}

interface Route {
  path: string
  operations: Partial<Record<string, Operation>>
  pattern: RegExp
}

export interface Description {
  openapi: string
  paths: Record<string, Partial<Record<string, Operation>>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes?: Record<string, unknown> }
}

export interface PublishedContract {
  readonly description: Description
  /** Throws ContractViolation. */
  check(response: HttpResponse): void
}
