import { type Document, type Operation, refName, type Schema } from './document.ts'
import { type Method, methodsOf } from './methods.ts'

/**
 * A TypeScript sample of each operation with our SDK, by operation id.
 *
 * @param queries an example query of operations, by operation id
 */
export function samplesOf(document: Document, queries: ReadonlyMap<string, object>): Map<string, string> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
  const { management, storefront } = methodsOf(document)
  const managed = management.flatMap(({ name, methods }) =>
    methods.map((method) => [method, `${managementClient}\n\n`, `storekeep.${name}`] as const),
  )
  const open = storefront.map(
    (method) => [method, `${clientOf(byId.get(method.operationId))}\n\n`, 'storefront'] as const,
  )
  return new Map(
    [...managed, ...open].map(([method, client, target]) => [
      method.operationId,
      client + callOf(method, target, bodyExample(byId.get(method.operationId)), queries.get(method.operationId)),
    ]),
  )
}

/** The reference page replaces these by the values of its reader. */
const sampleValues = { baseUrl: 'https://api.example.com', storeId: '411486491596816384' } as const

const id = '411486491630370816'

const managementClient = `import { Storekeep } from '@storekeep/sdk'

const storekeep = new Storekeep({
  baseUrl: '${sampleValues.baseUrl}',
  storeId: '${sampleValues.storeId}',
  apiKey: process.env.STOREKEEP_API_KEY ?? '',
})`

function clientOf(operation: Operation | undefined): string {
  const takesToken = operation?.security?.[0] !== undefined && 'Customer' in operation.security[0]
  const token = takesToken ? "\n  customerToken: 'skcus_…'," : ''
  return `import { Storefront } from '@storekeep/sdk/storefront'

const storefront = new Storefront({
  baseUrl: '${sampleValues.baseUrl}',
  storeId: '${sampleValues.storeId}',${token}
})`
}

function bodyExample(operation: Operation | undefined): unknown {
  return operation?.requestBody?.content?.['application/json']?.example ?? {}
}

function callOf(
  { name, pathParameters, body, pageItems, result }: Method,
  target: string,
  example: unknown,
  query: object | undefined,
): string {
  const values = [...pathParameters.map(() => id), ...(body ? [example] : []), ...(query ? [query] : [])]
  const call = `${target}.${name}(${values.map((value) => literal(value)).join(', ')})`
  if (pageItems) {
    const item = variableOf(pageItems.items)
    return `for await (const ${item} of ${call}) {\n  console.log(${item})\n}`
  }
  return result === undefined ? `await ${call}` : `const ${variableOf(result)} = await ${call}`
}

/** `customerToken` for a schema `CustomerTokenResponseDto`; `result` if the schema is named after its operation. */
function variableOf(schema: Schema | undefined): string {
  const name = (refName(schema) ?? 'Result').replace(/(Response)?(Dto)?$/, '').replace(/^(Create|Check).*/, 'result')
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** A value as TypeScript, formatted as we write it. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Array.isArray(value)
    ? value.map((one) => literal(one, `${indent}  `))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, `${indent}  `)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const line = Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`
  if (entries.length === 0) return `${open}${close}`
  if (line.length + indent.length <= 60 && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${indent}  ${entry},\n`).join('')}${indent}${close}`
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}
