import type { Operation as DescribedOperation, Description, JsonSchema } from './published-contract.ts'

/** Every operation of the interface, as /openapi.json describes it. */
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
  // Of each way to call it the scheme; undefined is the way without any.
  const schemes = security.map((way) => Object.keys(way)[0])
  if (schemes.includes('APIKey')) return 'key'
  if (!schemes.includes('Customer')) return 'none'
  return schemes.includes(undefined) ? 'optional' : 'token'
}

/** An id, or text of any form. */
function takesId({ $ref, items, type, enum: values, pattern, format }: JsonSchema): boolean {
  if (items) return takesId(items)
  return $ref === '#/components/schemas/FlakeId' || (type === 'string' && !(values ?? pattern ?? format))
}

interface ScopedOperation extends DescribedOperation {
  /** What an API key must be allowed to do. */
  'x-scope'?: string
}

export interface Operation {
  /** "GET /v1/store" */
  name: string
  method: string
  /** The path with its `{parameters}`. */
  template: string
  /** Which credential it takes: an API key, a customer token, one if there is any, or none. */
  auth: 'key' | 'token' | 'optional' | 'none'
  scope: string | undefined
  /** Its success status. */
  success: number
  /** Path parameters beside `storeId`. */
  children: string[]
  /** Query parameters that take an id, or any text. */
  idQueries: string[]
  bodyExample: unknown
}
