import { kubernetesDefinitions } from './kubernetes-definitions.ts'

/**
 * The schema of the values with current definitions of the Kubernetes types it refers to, and with the properties of
 * `definitions.component` in every service, the gateway and the pages. A reference to the whole definition (`allOf`)
 * would not reject unknown properties, and Helm would print two errors for each mistake.
 */
export async function currentSchema(schema: Schema): Promise<Schema> {
  const own = Object.fromEntries(Object.entries(schema.definitions).filter(([name]) => !/^V\d/.test(name)))
  const rest = withComponents({ ...schema, definitions: own as Schema['definitions'] })
  const types = [...JSON.stringify(rest).matchAll(/"#\/definitions\/(V\d\w+)"/g)].map(([, type = '']) => type)
  return { ...rest, definitions: { ...rest.definitions, ...(await kubernetesDefinitions(types)) } }
}

function withComponents(schema: Schema): Schema {
  const shared = Object.keys(schema.definitions.component.properties)
  const references = Object.fromEntries(shared.map((name) => [name, { $ref: `${sharedPath}${name}` }]))
  const withShared = ({ properties, ...rest }: ObjectSchema): ObjectSchema => {
    const { image, ...own } = Object.fromEntries(
      Object.entries(properties).filter(([, { $ref = '' }]) => !$ref.startsWith(sharedPath)),
    )
    return { ...rest, properties: { ...(image && { image }), ...references, ...own } }
  }
  const { gateway, pages, services } = schema.properties
  const each = Object.entries(services.properties).map(([name, service]) => [name, withShared(service as ObjectSchema)])
  return {
    ...schema,
    properties: {
      ...schema.properties,
      services: { ...services, properties: Object.fromEntries(each) },
      gateway: withShared(gateway),
      pages: withShared(pages),
    },
  }
}

const sharedPath = '#/definitions/component/properties/'

interface Schema {
  properties: { gateway: ObjectSchema; pages: ObjectSchema; services: ObjectSchema }
  definitions: { component: ObjectSchema } & Record<string, object>
}

interface ObjectSchema {
  properties: Record<string, { $ref?: string }>
}
