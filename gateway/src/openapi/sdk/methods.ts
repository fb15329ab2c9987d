import { type Document, type Operation, refName, type Schema, schemaOf } from './document.ts'

/** The methods of the SDK that follow from the operations of a document. */
export function methodsOf(document: Document): Api {
  const management: Resource[] = []
  const storefront: Method[] = []
  for (const [path, operations] of Object.entries(document.paths)) {
    if (path.startsWith(pluginPrefix)) continue
    for (const [verb, operation] of Object.entries(operations)) {
      const method = describeMethod(verb, path, operation, document)
      if (!path.startsWith(managementPrefix)) storefront.push(method)
      else resourceOf(management, operation, document).methods.push(method)
    }
  }
  for (const { name, methods } of [...management, { name: 'storefront', methods: storefront }]) {
    const repeated = methods.find(({ name: one }, index) => methods.findIndex((other) => other.name === one) !== index)
    if (repeated) throw new Error(`Two operations become ${name}.${repeated.name}. Rename one of them.`)
  }
  return { management, storefront }
}

/** The type of the query of each operation that has one, with the id of the operation. */
export function queriesOf({ management, storefront }: Api): Map<string, string> {
  const methods = [...management.flatMap((one) => one.methods), ...storefront]
  return new Map(methods.filter(({ query }) => query).map((one) => [`${one.typeName}Params`, one.operationId]))
}

/** The interface of plugins, which are written in other languages. */
const pluginPrefix = '/v1/delivery/'
const managementPrefix = '/v1/stores/{storeId}'
const storefrontPrefix = '/v1'

function resourceOf(resources: Resource[], operation: Operation, document: Document): Resource {
  const name = camelCase(wordsOf(namesOf(operation).resource))
  const known = resources.find((one) => one.name === name)
  if (known) return known
  const tag = document.tags?.find((one) => one.name === operation.tags[0])
  const created = { name, typeName: pascalCase(wordsOf(name)), description: tag?.description ?? '', methods: [] }
  resources.push(created)
  return created
}

function describeMethod(verb: string, path: string, operation: Operation, document: Document): Method {
  const { operationId, parameters = [], requestBody, summary = '', description } = operation
  const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const result = schemaOf(response)
  const query = parameters.filter((one) => one.in === 'query')
  const name = methodName(path, operation)
  // Unpaged lists have one page, so that all lists are used in the same way.
  const isList = verb === 'get' && (result?.type === 'array' || query.some((one) => one.name === 'after'))
  const prefix = path.startsWith(managementPrefix) ? managementPrefix : storefrontPrefix
  return {
    operationId,
    name,
    typeName: pascalCase([...wordsOf(namesOf(operation).resource), ...wordsOf(name)]),
    description: [summary, description].filter(Boolean).join('.\n\n'),
    verb: verb.toUpperCase(),
    path: path.slice(prefix.length),
    pathParameters: parameters
      .filter((one) => one.in === 'path' && one.name !== 'storeId')
      .map(({ name, description: text = '' }) => ({ name, description: text })),
    ...(requestBody && { body: { schema: schemaOf(requestBody), isRequired: requestBody.required === true } }),
    ...(query.length > 0 && { query: { isRequired: query.some((one) => one.required === true) } }),
    takesKey: parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key'),
    result,
    ...(isList && { pageItems: pageItems(result, document, operationId) }),
  }
}

/** The field with the items of a page: the body is an array, or has an array named `results`. */
function pageItems(result: Schema | undefined, document: Document, operationId: string): PageItems {
  if (result?.type === 'array') return { items: result.items }
  const results = document.components.schemas[refName(result) ?? '']?.properties?.results
  if (results?.type !== 'array') throw new Error(`${operationId} is paged, but has no list of items.`)
  return { field: 'results', items: results.items }
}

/**
 * `customers.create` from `createCustomer`: the verb loses the words of its resource. An operation on the path of the
 * resource itself keeps only its first word, as in `checkouts.create` from `createCheckoutSession`. The storefront has no
 * resources, so its methods keep all words.
 */
function methodName(path: string, operation: Operation): string {
  const { resource, verb } = namesOf(operation)
  if (!path.startsWith(managementPrefix)) return camelCase(wordsOf(verb))
  const [firstWord = '', ...words] = wordsOf(verb)
  const resourceWords = wordsOf(resource)
  const [collection = '', item, ...further] = path.slice(managementPrefix.length + 1).split('/')
  const isOwnPath = ['', resourceWords.join('-')].includes(collection) && further.length === 0
  if (isOwnPath && (item === undefined || item.startsWith('{'))) return firstWord
  const known = new Set(resourceWords.map(singular))
  return camelCase([firstWord, ...words.filter((word) => !known.has(singular(word)))])
}

function namesOf({ operationId, tags: [tag = ''] }: Operation): { resource: string; verb: string } {
  const [resource = '', verb] = operationId.split(/[_.]/)
  return verb === undefined ? { resource: tag, verb: resource } : { resource, verb }
}

function wordsOf(text: string): string[] {
  return (text.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

function singular(word: string): string {
  return word.replace(/s$/, '')
}

function camelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : capitalize(word))).join('')
}

function pascalCase(words: readonly string[]): string {
  return words.map(capitalize).join('')
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export interface Api {
  /** Called with an API key. */
  management: Resource[]
  /** Called from browsers. */
  storefront: Method[]
}

export interface Resource {
  name: string
  typeName: string
  description: string
  methods: Method[]
}

export interface Method {
  operationId: string
  name: string
  /** Unique over all resources. */
  typeName: string
  description: string
  verb: string
  /** Omits the prefix that all paths of the client share. */
  path: string
  pathParameters: { name: string; description: string }[]
  body?: { schema: Schema | undefined; isRequired: boolean }
  query?: { isRequired: boolean }
  /** Whether it takes an idempotency key. */
  takesKey: boolean
  result: Schema | undefined
  /** Set for lists. */
  pageItems?: PageItems
}

export interface PageItems {
  /** The field of the body that holds the items, if the body is not itself the list. */
  field?: string
  items: Schema | undefined
}
