import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../src/openapi/document.ts'
import type { Document, Operation } from '../../src/openapi/sdk/document.ts'
import { endpoints } from '../../src/routes/index.ts'

interface SampledOperation extends Omit<Operation, 'x-codeSamples'> {
  'x-codeSamples': { lang: string; label: string; source: string }[]
}

const document: Document = JSON.parse(JSON.stringify(describeApi(endpoints)))
/** Without the operations for plugins, which are not part of the SDK. */
const operations = Object.entries(document.paths)
  .filter(([path]) => !path.startsWith('/v1/delivery/'))
  .flatMap(([, path]) => Object.values(path)) as SampledOperation[]
const sources = new Map(operations.map((one) => [one.operationId, one['x-codeSamples'][0]?.source ?? '']))

describe('the TypeScript samples of the OpenAPI document', () => {
  it('show every operation with the SDK', () => {
    expect([...sources].filter(([, source]) => !/await.* (storekeep|storefront)\./.test(source))).toEqual([])
    expect(sources.get('createCustomer')).toBe(`import { Storekeep } from '@storekeep/sdk'

const storekeep = new Storekeep({
  baseUrl: 'https://api.example.com',
  storeId: '411486491596816384',
  apiKey: process.env.STOREKEEP_API_KEY ?? '',
})

const customer = await storekeep.customers.create({ steam_id: '76561197960287930', metadata: { rank: 'vip' } })`)
    expect(sources.get('listCustomers')).toContain('for await (const customer of storekeep.customers.list()) {')
    expect(sources.get('revokeCustomerTokens')).toContain(
      "\nawait storekeep.customers.revokeTokens('411486491630370816')",
    )
    expect(sources.get('getSignedInCustomer')).toContain("  customerToken: 'skcus_…',\n")
    expect(sources.get('getStore')).not.toContain('customerToken')
  })

  it('are the examples of all methods', () => {
    for (const name of ['management', 'storefront']) {
      const generated = readFileSync(new URL(`../src/generated/${name}.ts`, import.meta.url), 'utf8')
      const methods = generated.match(/ api\.(send|page)\(/g) ?? []
      expect(methods.length).toBeGreaterThan(0)
      expect(generated.match(/^ *\* @example$/gm)).toHaveLength(methods.length)
    }
  })

  it('compile, and would not with a method that the SDK does not have', () => {
    const control = sources.get('listCustomers')?.replace('.list(', '.all(') ?? ''
    expect(errorsIn(new Map([...sources, ...guideSamples(), ['control', control]]))).toEqual([
      "control: Property 'all' does not exist on type 'CustomersResource'.",
    ])
  })
})

/** The TypeScript of the guides, by file and position. */
function guideSamples(): [string, string][] {
  const folder = new URL('../../src/openapi/guides/', import.meta.url)
  const samples = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: source = '' }): [string, string] => [
      `${name}-${index}`,
      source,
    ])
  })
  expect(samples.length).toBeGreaterThan(0)
  return samples
}

/** What the compiler reports about modules with these sources. */
function errorsIn(modules: ReadonlyMap<string, string>): string[] {
  const folder = fileURLToPath(new URL('./', import.meta.url))
  const files = new Map([...modules].map(([name, source]) => [`${folder}${name}.sample.ts`, source]))
  files.set(`${folder}globals.sample.d.ts`, 'declare const process: { env: Record<string, string | undefined> }')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: [],
    paths: { '@storekeep/sdk': [`${folder}../src/index.ts`], '@storekeep/sdk/*': [`${folder}../src/*.ts`] },
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  const exists = host.fileExists
  host.fileExists = (name) => files.has(name) || exists(name)
  host.getSourceFile = (name, version) => {
    const source = files.get(name)
    return source === undefined ? read(name, version) : ts.createSourceFile(name, source, version)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = basename(file?.fileName ?? '', '.sample.ts')
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}
