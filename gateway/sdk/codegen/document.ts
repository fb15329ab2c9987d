/** The parts of an OpenAPI document that the SDK is generated from. */
export interface Document {
  openapi: string
  info: { title: string; version: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Body & { required?: boolean }
  responses: Record<string, Body & { headers?: object }>
}

export interface Parameter {
  in: 'path' | 'query' | 'header' | 'cookie'
  name: string
  description?: string
  required?: boolean
  schema?: Schema
}

export interface Body {
  content?: Record<string, { schema?: Schema }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

const json = 'application/json'

/** The JSON schema of a request or response body, if it has one. */
export function schemaOf(body: Body | undefined): Schema | undefined {
  return body?.content?.[json]?.schema
}

/** The name of the component that a schema refers to. */
export function refName(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.split('/').at(-1)
}

/**
 * A copy with only its schemas, which become types. The query of each operation becomes a schema, too.
 *
 * @param queries name of the schema and id of the operation
 */
export function typedDocument(document: Document, queries: ReadonlyMap<string, string>): Document {
  const { openapi, info, components } = structuredClone(document)
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const [name, operationId] of queries) {
    const operation = operations.find((one) => one.operationId === operationId)
    if (operation) components.schemas[name] = querySchema(operation)
  }
  return { openapi, info, paths: {}, components: { schemas: components.schemas } }
}

function querySchema({ summary, parameters = [] }: Operation): Schema {
  const query = parameters.filter((one) => one.in === 'query')
  const properties = query.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description && { description }) },
  ])
  return {
    type: 'object',
    description: `Parameters of: ${summary}.`,
    properties: Object.fromEntries(properties),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
}
