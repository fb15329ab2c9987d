import type { DescribedOperation, DescribedSchema, Description } from './published-contract.ts'

/** Every operation of the interface, as /openapi.json describes it. */
export function operationsOf({ paths }: Description): Operation[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'patch', 'delete', 'put'].includes(method))
      .map(([method, described]) => readOperation(method.toUpperCase(), template, described ?? { responses: {} })),
  )
}

function readOperation(method: string, template: string, described: DescribedOperation): Operation {
  const { parameters = [], responses, security = [], requestBody } = described
  const schemes = security.flatMap((one) => Object.keys(one))
  const isOptional = security.some((one) => Object.keys(one).length === 0)
  return {
    name: `${method} ${template}`,
    method,
    template,
    auth: schemes.includes('APIKey')
      ? 'key'
      : !schemes.includes('Customer')
        ? 'none'
        : isOptional
          ? 'optional'
          : 'token',
    scope: described['x-scope'],
    success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    children: template.match(/(?<=\{)(?!storeId\})\w+/g) ?? [],
    idQueries: parameters.filter((one) => one.in === 'query' && takesId(one.schema)).map(({ name }) => name),
    bodyExample: requestBody?.content['application/json']?.example,
  }
}

/** An id, or text of any form. */
function takesId({ $ref, items, type, enum: values, pattern, format }: DescribedSchema): boolean {
  if (items) return takesId(items)
  return $ref === '#/components/schemas/FlakeId' || (type === 'string' && !(values ?? pattern ?? format))
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
