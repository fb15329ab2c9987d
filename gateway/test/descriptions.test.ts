import { expect, it } from 'vitest'
import { describeApi } from '../src/openapi/document.ts'
import { endpoints } from '../src/routes/index.ts'

type Json = Record<string, unknown>

const text = JSON.stringify(describeApi(endpoints))
const copyOfDocument = (): Json => JSON.parse(text)

/** The JSON path of every operation, tag, parameter, header, schema and property without a description. */
function undescribed(document: Json): string[] {
  const found: string[] = []
  const require = (node: Json, path: string) => {
    const { description } = node
    if (typeof description !== 'string' || description.trim().length < 5) found.push(path)
  }
  visit(document, '')
  return found

  function visit(node: unknown, path: string): void {
    if (Array.isArray(node)) for (const [index, item] of node.entries()) visit(item, `${path}.${index}`)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const record = node as Json
    if ('operationId' in record || ('in' in record && 'schema' in record)) require(record, path)
    for (const [key, value] of Object.entries(record)) {
      if (key === 'example' || key === 'examples') continue
      if (['properties', 'schemas', 'headers', 'tags'].includes(key) && isDescribable(key, path)) {
        for (const [name, child] of Object.entries(value as Json)) require(child as Json, `${path}.${key}.${name}`)
      }
      visit(value, `${path}.${key}`)
    }
  }

  /** An operation's tags are names; the document's tags are objects. A property can have any name. */
  function isDescribable(key: string, path: string): boolean {
    return !path.endsWith('.properties') && (key !== 'tags' || path === '')
  }
}

it('describes every operation, tag, parameter, header, schema and property', () => {
  expect(undescribed(copyOfDocument())).toEqual([])
})

it.each([
  ['an operation', 'paths./v1/store.get'],
  ['a tag', 'tags.0'],
  ['a parameter', 'paths./v1/stores/{storeId}/bans.get.parameters.1'],
  ['a header', 'paths./v1/store.get.responses.200.headers.x-request-id'],
  ['a schema', 'components.schemas.BanDto'],
  ['a property', 'components.schemas.BanDto.properties.store_id'],
  ['a nested property', 'components.schemas.SearchHints.properties.code'],
])('finds %s without a description (negative control)', (_, path) => {
  const document = copyOfDocument()
  let node = document
  for (const key of keysOf(path)) node = node[key] as Json
  expect(node.description).toBeTypeOf('string')
  delete node.description
  expect(undescribed(document)).toEqual([`.${path}`])
})

/** Splits at dots; a URL path is one key. */
function keysOf(path: string): string[] {
  return path.match(/\/[^.]*|[^.]+/g) ?? []
}

it('starts every summary with a verb and every description with a capital letter', () => {
  const verbs =
    /^(Acknowledge|Create|Get|List|Link|Update|Delete|Cancel|Check|Look up|Mark|Release|Resend|Reset|Revoke|Rotate|Send|Search|Sign in|Unqueue)\b/
  for (const { summary, description } of endpoints) {
    expect(summary).toMatch(verbs)
    expect(description).toMatch(/^[A-Z].*\.$/s)
  }
})
