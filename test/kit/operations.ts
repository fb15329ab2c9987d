import type { Operation as DescribedOperation, Description, JsonSchema } from './published-contract.ts'

/** Every operation documented in /openapi.json. */
export function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'patch', 'delete', 'put'].includes(method))
      .map(([method, described]) => readOperation(method.toUpperCase(), template, described ?? { responses: {} })),
  )
}

function readOperation(method: string, template: string, described: ScopedOperation): Operation {
  const { parameters = [], responses, security = [], requestBody } = described
  return {
    name: `${method} ${template}`,
    method,
    template,
    auth: authOf(security),
    scope: described['x-scope'],
    success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    children: template.match(/(?<=\{)(?!storeId\})\w+/g) ?? [],
    idQueries: parameters.filter((one) => one.in === 'query' && takesId(one.schema)).map(({ name }) => name),
    bodyExample: requestBody?.content['application/json']?.example,
  }
}

function authOf(security: Record<string, string[]>[]): Operation['auth'] {
  // The scheme of each alternative; undefined means anonymous calls.
  const schemes = security.map((way) => Object.keys(way)[0])
  if (schemes.includes('APIKey')) return 'key'
  if (schemes.includes('GameServer')) return 'game-server'
  if (!schemes.includes('Customer')) return 'none'
  return schemes.includes(undefined) ? 'optional' : 'token'
}

/** Whether the parameter takes an id or unrestricted text. */
function takesId({ $ref, items, type, enum: values, pattern, format }: JsonSchema): boolean {
  if (items) return takesId(items)
  return $ref === '#/components/schemas/FlakeId' || (type === 'string' && !(values ?? pattern ?? format))
}

interface ScopedOperation extends DescribedOperation {
  /** The scope that an API key needs. */
  'x-scope'?: string
}

export interface Operation {
  /** "GET /v1/store" */
  name: string
  method: string
  /** The path with its `{parameters}`. */
  template: string
  /** The accepted credential: an API key, a customer token, an optional customer token, the token of a game server, or none. */
  auth: 'key' | 'token' | 'optional' | 'game-server' | 'none'
  scope: string | undefined
  /** Its success status. */
  success: number
  /** Path parameters other than `storeId`. */
  children: string[]
  /** Query parameters that take an id or unrestricted text. */
  idQueries: string[]
  bodyExample: unknown
}
