import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { describeApi } from '../../src/openapi/document.ts'
import type { Document } from '../../src/openapi/sdk/document.ts'
import { methodsOf, queriesOf } from '../../src/openapi/sdk/methods.ts'
import { endpoints } from '../../src/routes/index.ts'
import { renderManagement, renderStorefront, renderTypes } from './render.ts'
import { typedDocument } from './typed-document.ts'

/** Writes `src/generated/`, the part of the SDK that follows from the gateway's OpenAPI document. */
const folder = new URL('../src/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, content] of Object.entries(await generate())) {
  const file = new URL(name, folder)
  // An unchanged file keeps its time, so that the compiler does not check everything again.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content)
}

async function generate(): Promise<Record<string, string>> {
  const document: Document = JSON.parse(JSON.stringify(describeApi(endpoints)))
  const api = methodsOf(document)
  const typed = typedDocument(document, queriesOf(api))
  return {
    'types.ts': renderTypes(typed, await declareSchemas(typed)),
    'management.ts': renderManagement(document, api.management),
    'storefront.ts': renderStorefront(document, api.storefront),
    'version.ts': renderVersion(),
  }
}

/** The type that openapi-typescript generates for each schema, by the name of the component. */
async function declareSchemas(document: Document): Promise<Map<string, string>> {
  // The library changes a document that it is given as an object.
  const nodes = await openapiTS(JSON.stringify(document), { defaultNonNullable: false })
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components')
  const schemas = components?.members.filter(ts.isPropertySignature).find(({ name }) => textOf(name) === 'schemas')
  if (!schemas?.type || !ts.isTypeLiteralNode(schemas.type)) throw new Error('The document has no schemas')
  const declared = schemas.type.members.filter(ts.isPropertySignature)
  return new Map(declared.map(({ name, type }) => [textOf(name), type ? astToString(type).trim() : 'unknown']))
}

function textOf(name: ts.PropertyName): string {
  return 'text' in name ? name.text : ''
}

function renderVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return `// Generated from package.json. Do not edit.\n\nexport const version = '${version}'\n`
}
