import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeApi } from '../../src/openapi/document.ts'
import { endpoints } from '../../src/routes/index.ts'
import { goProgram, javaProgram, pythonProgram } from './programs.ts'
import { installTools, type Run, root } from './tools.ts'

const text = JSON.stringify(describeApi(endpoints))
const operations = endpoints.map(({ operationId }) => operationId).sort()
let run: Run
let place = ''

beforeAll(async () => {
  run = await installTools()
  await mkdir(join(root, '.data'), { recursive: true })
  place = await mkdtemp(join(root, '.data/clients-'))
}, 1_200_000)
afterAll(() => rm(place, { recursive: true, force: true }))

/** A new folder with the document, changed by `change`. */
async function folderWith(name: string, change: (document: Document) => void = () => undefined): Promise<string> {
  const folder = join(place, name)
  await mkdir(folder)
  const document: Document = JSON.parse(text)
  change(document)
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  return folder
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; schema: object }[] }>>
  webhooks: Record<string, { post: { operationId: string; requestBody: object } }>
  components: { schemas: Record<string, { properties?: Record<string, object> }> }
}

describe('Python, by openapi-python-client', () => {
  const options = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'storekeep']

  it('compiles, and has a module for each operation', async () => {
    const folder = await folderWith('python')
    await run('openapi-python-client', ['generate', '--fail-on-warning', ...options], folder)
    expect(await modulesIn(join(folder, 'storekeep'))).toEqual(operations.map(snake).sort())
    await writeFile(join(folder, 'program.py'), pythonProgram)
    // Its own code has errors with any document.
    await writeFile(join(folder, 'mypy.ini'), '[mypy]\n[mypy-storekeep.client]\nignore_errors = True\n')
    expect(await run('mypy', ['program.py', 'storekeep'], folder)).toContain('Success: no issues found')
  })

  it('lacks the operations with an address of two formats (negative control)', async () => {
    const lost: string[] = []
    const folder = await folderWith('python-faulty', ({ paths }) => {
      for (const { operationId, parameters = [] } of Object.values(paths).flatMap((path) => Object.values(path))) {
        const address = parameters.find(({ name }) => name === 'x-service-customer-ip')
        if (!address) continue
        address.schema = { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }
        lost.push(snake(operationId))
      }
    })
    expect(lost).toContain('get_store')
    await run('openapi-python-client', ['generate', ...options], folder)
    const found = await modulesIn(join(folder, 'storekeep'))
    expect(
      operations
        .map(snake)
        .filter((name) => !found.includes(name))
        .sort(),
    ).toEqual(lost.sort())
  })
})

describe('Python, by OpenAPI Generator', () => {
  const options = ['generate', '-g', 'python', '-i', 'openapi.json', '-o', 'client']
  const compile = ['-m', 'compileall', '-q', 'client/openapi_client']

  it('compiles, also the file of the webhook events', async () => {
    const folder = await folderWith('python-openapi-generator')
    await run('openapi-generator-cli', options, folder)
    await run('python3', compile, folder)
    const events = await readFile(join(folder, 'client/openapi_client/api/webhook_events_api.py'), 'utf8')
    expect(events).toContain('customer_created_event: CustomerCreatedEvent')
  })

  it('does not compile if the bodies of webhooks do not name their Python type (negative control)', async () => {
    const folder = await folderWith('python-openapi-generator-faulty', ({ webhooks }) => {
      for (const { post } of Object.values(webhooks)) Object.assign(post.requestBody, { 'x-py-typing': undefined })
    })
    await run('openapi-generator-cli', options, folder)
    await expect(run('python3', compile, folder)).rejects.toThrow('invalid syntax')
  })
})

describe('Go, by oapi-codegen', () => {
  const options = ['-generate', 'types,client', '-package', 'storekeep', '-o', 'storekeep/client.go', 'openapi.json']

  it('compiles, and has a method for each operation', async () => {
    const folder = await folderWith('go')
    await mkdir(join(folder, 'storekeep'))
    await run('oapi-codegen', options, folder)
    const client = await readFile(join(folder, 'storekeep/client.go'), 'utf8')
    const [, methods = ''] = /type ClientInterface interface \{(.*?)\n\}/s.exec(client) ?? []
    const names = [...methods.matchAll(/^\t(\w+)\(ctx/gm)].map(([, name = '']) =>
      lowerFirst(name.replace(/WithBody$/, '')),
    )
    expect([...new Set(names)].sort()).toEqual(operations)
    await writeFile(join(folder, 'go.mod'), `module example.com/program\n\ngo 1.26\n\nrequire ${goRuntime}\n`)
    await writeFile(join(folder, 'program.go'), goProgram)
    await run('go', ['mod', 'tidy'], folder)
    await run('go', ['vet', './...'], folder)
  })

  it('is not generated from a field of two types (negative control)', async () => {
    const folder = await folderWith('go-faulty', ({ components }) => {
      Object.assign(components.schemas.SteamId ?? {}, { type: ['string', 'integer'] })
    })
    await mkdir(join(folder, 'storekeep'))
    await expect(run('oapi-codegen', options, folder)).rejects.toThrow('unhandled Schema type')
  })

  it('does not compile if no operation refers to the schemas of events (negative control)', async () => {
    const folder = await folderWith('go-pruned', ({ paths }) => {
      for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
        Object.assign(operation, { callbacks: undefined })
      }
    })
    await mkdir(join(folder, 'storekeep'))
    await run('oapi-codegen', options, folder)
    await writeFile(join(folder, 'go.mod'), `module example.com/program\n\ngo 1.26\n\nrequire ${goRuntime}\n`)
    await run('go', ['mod', 'tidy'], folder)
    await expect(run('go', ['vet', './...'], folder)).rejects.toThrow('undefined: ')
  })
})

const goRuntime = 'github.com/oapi-codegen/runtime v1.8.0'

describe('Java, by OpenAPI Generator', () => {
  const options = ['generate', '-g', 'java', '-i', 'openapi.json', '-o', 'client']
  const sources = 'client/src/main/java/org/openapitools/client'

  it('compiles, has a method for each operation, and no class with an invented name', async () => {
    const folder = await folderWith('java')
    await run('openapi-generator-cli', options, folder)
    expect(await inventedModels(folder)).toEqual([])
    const apis = await readdir(join(folder, sources, 'api'))
    const code = await Promise.all(apis.map((name) => readFile(join(folder, sources, 'api', name), 'utf8')))
    const methods = code.flatMap((one) => [...one.matchAll(/public okhttp3.Call (\w+)Call\(/g)].map(([, name]) => name))
    // It also generates a method for each webhook.
    const webhooks = Object.values((JSON.parse(text) as Document).webhooks).map(({ post }) => post.operationId)
    expect(methods.sort()).toEqual([...operations, ...webhooks].sort())
    await writeFile(join(folder, 'client/src/main/java/Program.java'), javaProgram)
    await run('mvn', ['--quiet', '--batch-mode', 'compile'], join(folder, 'client'))
  })

  it('has a class with an invented name for an object without one (negative control)', async () => {
    const folder = await folderWith('java-faulty', ({ components }) => {
      Object.assign(components.schemas.OrderDto?.properties ?? {}, { payment: components.schemas.OrderPaymentDto })
    })
    await run('openapi-generator-cli', options, folder)
    expect(await inventedModels(folder)).toEqual(['OrderDtoPayment'])
  })

  /** Names of classes that are no component of the document. The first is part of every generated client. */
  async function inventedModels(folder: string): Promise<string[]> {
    const known = ['AbstractOpenApiSchema', ...Object.keys((JSON.parse(text) as Document).components.schemas)]
    const models = await readdir(join(folder, sources, 'model'))
    return models.map((name) => name.replace('.java', '')).filter((name) => !known.includes(name))
  }
})

async function modulesIn(client: string): Promise<string[]> {
  const files = await readdir(join(client, 'api'), { recursive: true })
  const modules = files.filter((name) => name.includes('/') && name.endsWith('.py') && !name.endsWith('__init__.py'))
  return modules.map((name) => name.replace(/.*\/|\.py$/g, '')).sort()
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
