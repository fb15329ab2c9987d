import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type TestStore, useSharedSystem } from '@storekeep/test/kit'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { packSdk } from '../../gateway/sdk/pack.ts'
import { installTarball } from '../../gateway/sdk/test/install-tarball.ts'
import { sharedBrowser } from '../browser/open-browser.ts'
import { findNode } from './node-versions.ts'
import { readExamples } from './readme-examples.ts'

const { createStore, secrets } = await useSharedSystem()
const gatewayUrl = inject('system').gatewayUrls[0] ?? ''
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'storekeep-sdk-readme-'))
const examples = readExamples()

beforeAll(async () => {
  await installTarball(await packSdk(folder), folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = `whsec_${randomBytes(32).toString('base64')}`

/** A webhook that was sent just now. */
function newWebhook() {
  const sentAt = new Date()
  const body = JSON.stringify({ type: 'ban.created', timestamp: sentAt.toISOString(), data: { reason: 'Chargeback' } })
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
  }
  return { method: 'POST', body, headers }
}

/** Calls the handler of the README with a webhook, and with one whose body was changed. */
const handlerCalls = () => `
const webhook = ${JSON.stringify(newWebhook())}
const statuses = []
for (const change of [{}, { body: '{}' }]) {
  const response = await handleWebhook(new Request('http://shop.example/hook', { ...webhook, ...change }))
  statuses.push(response.status)
}
console.log(statuses.join(' '))
`

describe('the examples of the README, with the packed package', () => {
  async function runOn(node: string, store: TestStore, script = examples.node.script): Promise<string[]> {
    const file = join(folder, `example-${randomBytes(4).toString('hex')}.mjs`)
    writeFileSync(file, script + handlerCalls())
    const env = {
      STOREKEEP_URL: gatewayUrl,
      STOREKEEP_STORE_ID: store.id,
      STOREKEEP_API_KEY: store.apiKey,
      STOREKEEP_WEBHOOK_SECRET: secret,
      LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '',
    }
    const { stdout, stderr } = await run(node, [file], { env })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }

  const versions = { 'Node 20': () => findNode(20), 'Node 24': () => findNode(24), 'Node 26': () => process.execPath }

  it.each(Object.entries(versions))('print what they say on %s', async (name, find) => {
    const { stdout: version } = await run(find(), ['--version'])
    expect(version).toMatch(`${name.replace('Node ', 'v')}.`)
    expect(await runOn(find(), await createStore())).toEqual([...examples.node.output, '204 400'])
  })

  it('fail when the package is broken', async () => {
    const broken = examples.node.script.replace('customers.create(', 'customers.crate(')
    await expect(runOn(process.execPath, await createStore(), broken)).rejects.toThrow('crate is not a function')
  })

  it('are strict TypeScript', async () => {
    const compilerOptions = {
      ...{
        target: 'es2022',
        lib: ['es2024', 'dom', 'dom.asynciterable'],
        module: 'node16',
        strict: true,
        noEmit: true,
      },
      ...{ exactOptionalPropertyTypes: true, skipLibCheck: true, types: ['node'] },
    }
    const types = resolve('node_modules/@types')
    symlinkSync(types, join(folder, 'node_modules/@types'))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['node.ts', 'browser.ts'] }))
    writeFileSync(join(folder, 'node.ts'), examples.node.source)
    writeFileSync(join(folder, 'browser.ts'), examples.browser.source)
    const compile = run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder])
    expect(await compile.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' })
  })
})

describe('the examples for browsers, with the packed package', () => {
  let server: Server
  let origin: string

  beforeAll(async () => {
    server = createServer((req, res) => {
      const { pathname } = new URL(req.url ?? '', 'http://localhost')
      if (pathname === '/') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title>')
      res.writeHead(200, { 'content-type': 'text/javascript' })
      createReadStream(join(folder, pathname)).pipe(res)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  /** Runs a module in a page of another origin than the gateway's. Returns what it printed; fails when it throws. */
  async function runInBrowser(script: string): Promise<string[]> {
    const context = await (await sharedBrowser()).newContext()
    try {
      const page = await context.newPage()
      await page.goto(origin)
      const imports = script.replaceAll(/from '(@storekeep\/sdk)(\/\w+)?'/g, (_all, name, entry = '/index') => {
        return `from '${origin}/node_modules/${name}/dist${entry}.js'`
      })
      const body = `const printed = []; const console = { log: (...values) => printed.push(values.join(' ')) }\n`
      writeFileSync(join(folder, 'page.js'), `${body}${imports}\nexport { printed }`)
      return await page.evaluate<string[]>(`import('${origin}/page.js').then((module) => module.printed)`)
    } finally {
      await context.close()
    }
  }

  it('print what they say in Chromium, through CORS', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const script = examples.browser.script
      .replace("'https://api.example.com'", `'${gatewayUrl}'`)
      .replace("'411486491630370816'", `'${store.id}'`)
    const printed = await runInBrowser(`${script}\nconst token = customer_token; console.log(token)`)
    const token = printed.pop() ?? ''
    secrets.add('customer_token', token)
    expect(printed).toEqual(examples.browser.output)
    expect(token).toMatch(/^skcus_/)
  })

  it('read the code and request id of an error in Chromium', async () => {
    const store = await createStore()
    const printed = await runInBrowser(`
      import { Storefront } from '@storekeep/sdk/storefront'
      const storefront = new Storefront({ baseUrl: '${gatewayUrl}', storeId: '${store.id}', customerToken: 'skcus_unknown' })
      const error = await storefront.getSignedInCustomer({ requestId: 'mine' }).catch((one) => one)
      console.log(error.name, error.status, error.code, error.requestId)`)
    expect(printed).toEqual(['AuthenticationError 401 unauthorized mine'])
  })

  it('verify webhooks in Chromium, where no API key is accepted', async () => {
    const printed = await runInBrowser(`
      import { Storekeep, webhooks } from '@storekeep/sdk'
      const { body, headers } = ${JSON.stringify(newWebhook())}
      console.log((await webhooks.verify(body, headers, '${secret}')).type)
      console.log(await webhooks.verify(body + ' ', headers, '${secret}').catch((error) => error.name))
      try { new Storekeep({ baseUrl: '${gatewayUrl}', storeId: '1', apiKey: 'k' }) } catch (error) { console.log(error.message) }`)
    expect(printed).toEqual([
      'ban.created',
      'WebhookVerificationError',
      'An API key must not reach a browser. Use Storefront from @storekeep/sdk/storefront there.',
    ])
  })
})
