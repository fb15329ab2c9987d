import * as client from '@kubernetes/client-node'

/**
 * JSON schemas of Kubernetes types and the types they contain, by their names in the Kubernetes client. The client provides
 * the fields; kubernetes-models provides required fields and enum values.
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
  const violationsOf = await validatorOf(type)
  const properties = fieldsOf(type).map(({ baseName, type: fieldType, format }) => {
    if (fieldType !== 'string') return [baseName, schemaOf(fieldType, format)]
    const violation = violationsOf({ [baseName]: 'invalid' }).find(({ keyword }) => keyword === 'enum')
    if (violation) return [baseName, { enum: violation.params.allowedValues }]
    // A quantity, such as 500m. YAML parses quantities without a unit as numbers.
    const allowsNumbers = !violationsOf({ [baseName]: 1 }).some(({ instancePath }) => instancePath !== '')
    return [baseName, allowsNumbers ? { $ref: '#/definitions/resourceQuantity' } : { type: 'string' }]
  })
  const required = violationsOf({}).flatMap(({ params }) => params.missingProperty ?? [])
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
  if (!described?.getAttributeTypeMap) throw new Error(`The Kubernetes client has no type ${type}.`)
  return described.getAttributeTypeMap()
}

interface Field {
  baseName: string
  type: string
  format: string
}

/** kubernetes-models names `V1Toleration` `IoK8sApiCoreV1Toleration`. */
async function validatorOf(type: string): Promise<(data: object) => Violation[]> {
  const { validate } = await import(`${folderOf(type)}${type}`)
  return (data) => (validate(data) ? [] : validate.errors)
}

function folderOf(type: string): string {
  if (/^V1(LabelSelector|ObjectMeta|OwnerReference|ManagedFields)/.test(type))
    return '@kubernetes-models/apimachinery/_schemas/IoK8sApimachineryPkgApisMeta'
  if (/^V1(NetworkPolicy|IPBlock)/.test(type)) return 'kubernetes-models/_schemas/IoK8sApiNetworking'
  return `kubernetes-models/_schemas/IoK8sApi${type.startsWith('V2') ? 'Autoscaling' : 'Core'}`
}

interface Violation {
  keyword: string
  instancePath: string
  params: { missingProperty?: string; allowedValues?: string[] }
}
