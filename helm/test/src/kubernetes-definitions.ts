import * as client from '@kubernetes/client-node/dist/gen/models/all.js'

/**
 * JSON schemas of types of Kubernetes, and of those that they hold, by the names that its client has for them. The client
 * says what fields there are; what must be there and may be said comes from the validators of its API.
 */
export async function kubernetesDefinitions(types: readonly string[]): Promise<Record<string, object>> {
  const definitions: Record<string, object> = {}
  const wanted = [...types]
  for (let type = wanted.pop(); type !== undefined; type = wanted.pop()) {
    if (definitions[type]) continue
    definitions[type] = await definitionOf(type)
    wanted.push(...fieldsOf(type).flatMap((field) => /V\d\w+/.exec(field.type) ?? []))
  }
  return Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function definitionOf(type: string): Promise<object> {
  const mistakesIn = await validatorOf(type)
  const properties = fieldsOf(type).map(({ baseName, type: fieldType, format }) => {
    if (fieldType !== 'string') return [baseName, schemaOf(fieldType, format)]
    const said = mistakesIn({ [baseName]: 'no such word' }).find(({ keyword }) => keyword === 'enum')
    if (said) return [baseName, { enum: said.params.allowedValues }]
    // An amount, such as 500m, which YAML takes for a number when it has no unit.
    const takesNumbers = !mistakesIn({ [baseName]: 1 }).some(({ instancePath }) => instancePath !== '')
    return [baseName, takesNumbers ? { $ref: '#/definitions/amount' } : { type: 'string' }]
  })
  const required = mistakesIn({}).flatMap(({ params }) => params.missingProperty ?? [])
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  }
}

function schemaOf(type: string, format: string): object {
  const item = /^Array<(.+)>$/.exec(type)?.[1]
  if (item !== undefined) return { type: 'array', items: schemaOf(item, '') }
  const value = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  if (value !== undefined) return { type: 'object', additionalProperties: schemaOf(value, '') }
  if (type === 'number') return { type: format.startsWith('int') ? 'integer' : 'number' }
  if (type === 'IntOrString') return { type: ['integer', 'string'] }
  if (type === 'Date') return { type: 'string' }
  if (type === 'string' || type === 'boolean') return { type }
  if (/^V\d/.test(type)) return { $ref: `#/definitions/${type}` }
  return {}
}

function fieldsOf(type: string): Field[] {
  const described = (client as unknown as Record<string, { getAttributeTypeMap?(): Field[] }>)[type]
  if (!described?.getAttributeTypeMap) throw new Error(`Kubernetes has no ${type}.`)
  return described.getAttributeTypeMap()
}

interface Field {
  baseName: string
  type: string
  format: string
}

/** `V1Toleration` is `IoK8sApiCoreV1Toleration` there. */
async function validatorOf(type: string): Promise<(data: object) => Mistake[]> {
  const { validate } = await import(`${folderOf(type)}${type}`)
  return (data) => (validate(data) ? [] : validate.errors)
}

function folderOf(type: string): string {
  if (/^V1(LabelSelector|ObjectMeta|OwnerReference|ManagedFields)/.test(type))
    return '@kubernetes-models/apimachinery/_schemas/IoK8sApimachineryPkgApisMeta'
  if (/^V1(NetworkPolicy|IPBlock)/.test(type)) return 'kubernetes-models/_schemas/IoK8sApiNetworking'
  return `kubernetes-models/_schemas/IoK8sApi${type.startsWith('V2') ? 'Autoscaling' : 'Core'}`
}

interface Mistake {
  keyword: string
  instancePath: string
  params: { missingProperty?: string; allowedValues?: string[] }
}
