import type { Document, Operation, Schema } from '../../src/openapi/sdk/document.ts'

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
