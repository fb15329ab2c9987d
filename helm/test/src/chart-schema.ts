import { kubernetesDefinitions } from './kubernetes-definitions.ts'

/** The schema of the values with current definitions of the Kubernetes types it refers to. */
export async function withKubernetesTypes(schema: Schema): Promise<Schema> {
  const own = Object.fromEntries(Object.entries(schema.definitions).filter(([name]) => !/^V\d/.test(name)))
  const rest = { ...schema, definitions: own }
  const types = [...JSON.stringify(rest).matchAll(/"#\/definitions\/(V\d\w+)"/g)].map(([, type = '']) => type)
  return { ...rest, definitions: { ...own, ...(await kubernetesDefinitions(types)) } }
}

interface Schema {
  definitions: Record<string, object>
}
