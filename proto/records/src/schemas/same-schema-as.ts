/**
 * An `override` that replaces a schema in the OpenAPI document by a reference to a component: for the body of a PATCH
 * that documents the same fields as the body of the create.
 * @param keep keywords to keep beside the reference
 */
export function sameSchemaAs(id: string, keep: readonly string[] = []) {
  return ({ jsonSchema }: { jsonSchema: object }): void => {
    const schema = jsonSchema as Record<string, unknown>
    for (const keyword of Object.keys(schema)) if (!keep.includes(keyword)) delete schema[keyword]
    schema.$ref = `#/components/schemas/${id}`
  }
}
