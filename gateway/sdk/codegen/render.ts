import { type Document, refName, type Schema } from '../../src/openapi/sdk/document.ts'
import type { Method, Resource } from '../../src/openapi/sdk/methods.ts'

const notice = `// Generated from the gateway's OpenAPI document. Do not edit.\n`

/** The type names of a document: its component names without the suffix `Dto`. */
export function typeNames(document: Document): Map<string, string> {
  const components = Object.keys(document.components.schemas)
  const names = new Map(components.map((name) => [name, name.replace(/Dto$/, '')]))
  for (const [component, name] of names) {
    if (component !== name && names.has(name)) names.set(component, component)
  }
  return names
}

/**
 * `types.ts`: a declaration for every schema. Editors show the names of interfaces, and the text of a comment, which
 * openapi-typescript puts into a tag.
 * @param declared the TypeScript type of each component
 */
export function renderTypes(document: Document, declared: ReadonlyMap<string, string>): string {
  const names = typeNames(document)
  const schemas = [...names].map(([component, name]) => {
    const type = withNames(declared.get(component) ?? 'unknown', names)
    const declaration = isObject.test(type) ? `interface ${name} ${type}` : `type ${name} = ${type}`
    return `${comment(document.components.schemas[component]?.description)}export ${declaration}\n`
  })
  return [notice, ...schemas].join('\n')
}

/** An object type, not an intersection of several. */
const isObject = /^\{\n(?: .*\n)*\}$/

function withNames(type: string, names: ReadonlyMap<string, string>): string {
  return type
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (reference, component) => names.get(component) ?? reference)
    .replaceAll(' (enum property replaced by openapi-typescript)', '')
    .replaceAll(/^ *\* @enum .*\n/gm, '')
    .replaceAll('@description ', '')
    .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
}

/** `management.ts`: one class with a field for each resource. */
export function renderManagement(document: Document, resources: readonly Resource[]): string {
  const types = new TypeUse(
    document,
    resources.flatMap(({ methods }) => methods),
  )
  const interfaces = resources.map(
    ({ name, typeName, description, methods }) =>
      `${comment(description)}export interface ${resourceType({ name, typeName })} {\n${methods
        .map((method) => `${methodComment(method, document)}  ${method.name}${signature(method, types)}\n`)
        .join('\n')}}\n`,
  )
  const fields = resources.map(
    (resource) => `${indent(comment(resource.description))}  readonly ${resource.name}: ${resourceType(resource)}\n`,
  )
  const assignments = resources.map(
    ({ name, methods }) =>
      `    this.${name} = {\n${methods.map((one) => `      ${implementation(one)},\n`).join('')}    }\n`,
  )
  return [
    notice,
    types.imports(),
    ...interfaces,
    `/** A method for each operation that needs an API key. */
export abstract class ManagementApi {
${fields.join('')}
  constructor(api: Transport) {
${assignments.join('')}  }
}
`,
  ].join('\n')
}

/** `storefront.ts`: one class with a method for each operation. */
export function renderStorefront(document: Document, methods: readonly Method[]): string {
  const types = new TypeUse(document, methods)
  const fields = methods.map(
    (method) => `${methodComment(method, document)}  readonly ${method.name}: ${signature(method, types, ' => ')}\n`,
  )
  const assignments = methods.map((method) => `    this.${implementation(method, ' = ')}\n`)
  return [
    notice,
    types.imports(),
    `/** A method for each operation that browsers may call. */
export abstract class StorefrontApi {
${fields.join('\n')}
  constructor(api: Transport) {
${assignments.join('')}  }
}
`,
  ].join('\n')
}

function resourceType({ typeName }: Pick<Resource, 'name' | 'typeName'>): string {
  return `${typeName}Resource`
}

/** `(customerId: string, body: UpsertCustomerRequest, options?: RequestOptions): ResponsePromise<Customer>` */
function signature(method: Method, types: TypeUse, returns = ': '): string {
  const { pathParameters, body, query, takesKey } = method
  const parameters = [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${types.of(body.schema)}`] : []),
    ...(query ? [`params${query.isRequired ? '' : '?'}: ${types.use(`${method.typeName}Params`)}`] : []),
    `options?: ${takesKey ? types.useRuntime('WriteOptions') : types.useRuntime('RequestOptions')}`,
  ]
  return `(${parameters.join(', ')})${returns}${resultType(method, types)}`
}

function resultType({ result, pageItems }: Method, types: TypeUse): string {
  if (pageItems === undefined) return `${types.useRuntime('ResponsePromise')}<${types.of(result)}>`
  const item = types.of(pageItems.items)
  const body = pageItems.field === undefined ? '' : `, ${types.of(result)}`
  return `${types.useRuntime('PagePromise')}<${item}${body}>`
}

/** `create: (body, options) => api.send('POST', '/customers', { body, takesKey: true }, options)` */
function implementation(method: Method, assigns = ': '): string {
  const { name, verb, path, pathParameters, body, query, takesKey, pageItems } = method
  const names = [...pathParameters.map((one) => one.name), ...(body ? ['body'] : []), ...(query ? ['params'] : [])]
  const call = pageItems === undefined ? `send('${verb}', ` : 'page('
  const items = pageItems?.field === undefined ? '' : `, '${pageItems.field}'`
  const fields = [
    ...(body ? ['body'] : []),
    ...(query ? ['query: params'] : []),
    ...(takesKey ? ['takesKey: true'] : []),
  ]
  const content = pageItems ? (query ? 'params' : 'undefined') : fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}'
  const target = pathParameters.length === 0 ? `'${path}'` : `path\`${path.replaceAll('{', '$' + '{')}\``
  return `${name}${assigns}(${[...names, 'options'].join(', ')}) => api.${call}${target}, ${content}, options${items})`
}

function methodComment({ operationId, description, pathParameters }: Method, document: Document): string {
  const parameters = pathParameters.map(({ name, description: text }) => `@param ${name} ${text}`)
  const call = callOf(document, operationId)
  const tags = [...parameters, ...(call === undefined ? [] : ['@example', call])]
  return indent(comment([description, ...(tags.length > 0 ? ['', ...tags] : [])].join('\n')))
}

/** The call of the sample of an operation, without the client before it. */
function callOf({ paths }: Document, operationId: string): string | undefined {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const operation = operations.find((one) => one.operationId === operationId)
  const [sample] = operation?.['x-codeSamples'] ?? []
  const endOfClient = '\n})\n\n'
  return sample?.source.slice(sample.source.indexOf(endOfClient) + endOfClient.length)
}

function comment(text = ''): string {
  if (text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** Collects the types that a file uses, for its imports. */
class TypeUse {
  readonly #names: Map<string, string>
  readonly #types = new Set<string>()
  readonly #runtime = new Set<string>(['Transport'])
  readonly #usesPath: boolean

  constructor(document: Document, methods: readonly Method[]) {
    this.#usesPath = methods.some(({ pathParameters }) => pathParameters.length > 0)
    this.#names = typeNames(document)
  }

  /** The type of a schema, which must be a component, a list of one, or nothing. */
  of(schema: Schema | undefined): string {
    if (schema === undefined) return 'void'
    if (schema.type === 'array') return `${this.of(schema.items)}[]`
    const component = refName(schema)
    const name = component && this.#names.get(component)
    if (!name) throw new Error(`A body has no name: ${JSON.stringify(schema).slice(0, 200)}`)
    return this.use(name)
  }

  use(name: string): string {
    this.#types.add(name)
    return name
  }

  useRuntime(name: string): string {
    this.#runtime.add(name)
    return name
  }

  imports(): string {
    const runtime = [...this.#runtime].sort().join(', ')
    const path = this.#usesPath ? "import { path } from '../runtime/request.ts'\n" : ''
    return `${path}import type { ${runtime} } from '../runtime/transport.ts'
import type { ${[...this.#types].sort().join(', ')} } from './types.ts'
`
  }
}
