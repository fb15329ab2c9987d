import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packSdk } from '../pack.ts'
import { Storekeep } from '../src/index.ts'
import { installTarball } from './install-tarball.ts'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-sdk-'))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const modules = createRequire(import.meta.url)
let tarball: string
let installed: string

beforeAll(async () => {
  tarball = await packSdk(folder)
  installed = await installTarball(tarball, join(folder, 'shop'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('has no dependency and no file but what its exports need', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest).not.toHaveProperty(kind)
    }
    expect(manifest).toMatchObject({ name: '@storekeep/sdk', type: 'module', sideEffects: false })
    const listed = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).stdout.trim().split('\n')
    const others = listed.filter(
      (name) => !/^package\/(dist\/[a-z/-]+\.(d\.ts|js)|package\.json|README\.md)$/.test(name),
    )
    expect(others).toEqual([])
  })

  it('lists each method in its README', () => {
    const storekeep = new Storekeep({ baseUrl: 'http://127.0.0.1', storeId: '1', apiKey: 'skapi_1' })
    const methods = Object.entries(storekeep)
      .filter(([, resource]) => Object.values(resource).every((member) => typeof member === 'function'))
      .map(([name, resource]) => [name, Object.keys(resource)])
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const listed = [...readme.matchAll(/^\| `(\w+)` \| ((?:`\w+` ?)+)\|$/gm)].map(([, name, verbs = '']) => [
      name,
      verbs.match(/\w+/g),
    ])
    expect(listed).toEqual(methods)
  })

  it('passes publint', async () => {
    const check = async (pkgDir: string) => {
      const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false })
      return messages.map((one) => formatMessage(one, pkg))
    }
    expect(await check(installed)).toEqual([])
    // The negative control: an entry that is not in the package.
    const broken = join(folder, 'broken')
    cpSync(installed, broken, { recursive: true })
    rmSync(join(broken, 'dist/storefront.js'))
    expect(await check(broken)).not.toEqual([])
  })

  it('passes attw: a module of Node and a bundler find the types that fit the code', () => {
    const attw = join(dirname(modules.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
    const command = [attw, tarball, '--profile', 'esm-only', '--no-color', '--no-emoji', '--format', 'table-flipped']
    const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    expect([status, stderr], stdout).toEqual([0, ''])
    for (const entry of ['@storekeep/sdk', '@storekeep/sdk/storefront']) {
      expect(stdout).toMatch(new RegExp(`"${entry}" +│ OK \\(ESM\\) +│ OK +│`))
    }
  })
})

describe('a strict TypeScript project', () => {
  const source = `
import { NotFoundError, type Customer, type Page, Storekeep, webhooks } from '@storekeep/sdk'
import { Storefront } from '@storekeep/sdk/storefront'

const storekeep = new Storekeep({ baseUrl: 'http://localhost', storeId: '1', apiKey: 'k', maxRetries: undefined })
const created: Customer = await storekeep.customers.create({ name: 'Robin', metadata: { rank: 'vip' } })
const name: string | null = created.name
const page: Page<Customer> = await storekeep.customers.list({ limit: 2, customer_id: [created.id] })
for await (const { id } of storekeep.bans.list()) id.length
const { data, requestId } = await storekeep.customers.get(created.id, { signal: AbortSignal.timeout(1) }).withResponse()
const text: string = data.id + (requestId ?? '')
const nothing: void = await storekeep.customers.revokeTokens(created.id)
const error: unknown = new Error()
if (error instanceof NotFoundError) error.violations.map(({ path }) => path)
const event = await webhooks.verify('', new Headers(), ['whsec_'])
if (event.type === 'ban.created') event.data.identities.map((one) => one.ban_type_value)
if (event.type === 'order.refunded') event.data.refund.id.length
const shop = await new Storefront({ baseUrl: 'http://localhost', storeId: '1' }).getStore()
export { event, name, nothing, page, shop, text }

// @ts-expect-error: ids are strings
storekeep.customers.get(1)
// @ts-expect-error: a misspelled field
storekeep.customers.create({ nmae: 'Robin' })
// @ts-expect-error: a misspelled field of a product, which would be public
storekeep.products.create({ name: 'VIP rank', price: 1000, is_hiden: true })
// @ts-expect-error: a misspelled field of a change
storekeep.products.update('1', { is_hiden: true })
// @ts-expect-error: a misspelled field of an inline product
storekeep.checkouts.create({ customer_id: '1', lines: [{ quantity: 1, inline_product: { name: 'A', price: 1, slugg: '' } }] })
// @ts-expect-error: a misspelled filter
storekeep.customers.list({ serach: 'Robin' })
// @ts-expect-error: reads take no idempotency key
storekeep.customers.get('1', { idempotencyKey: 'k' })
// @ts-expect-error: a field that a customer does not have
created.nmae
// @ts-expect-error: a field of another event
if (event.type === 'order.created') event.data.identities
// @ts-expect-error: browsers get no API key
new Storefront({ baseUrl: 'http://localhost', storeId: '1', apiKey: 'k' })
`
  const strict = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    // Checks the package's declarations, but not TypeScript's.
    skipDefaultLibCheck: true,
  }
  const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
  const server = { lib: ['es2022'], types: ['node'], skipLibCheck: true }
  const bundler = { ...browser, module: 'esnext', moduleResolution: 'bundler' }
  const node = { ...server, module: 'node16', moduleResolution: 'node16' }
  const oldest = modules.resolve('typescript-5-0/package.json')
  const cases = [
    { name: 'TypeScript 5.0 for a bundler', manifest: oldest, options: bundler },
    { name: 'TypeScript 5.0 for Node', manifest: oldest, options: node },
    { name: 'TypeScript 5.9 for a bundler', manifest: modules.resolve('typescript/package.json'), options: bundler },
    { name: 'TypeScript 7.0 for Node', manifest: join(root, 'node_modules/typescript/package.json'), options: node },
  ]

  it.each(cases)('compiles with $name', ({ name, manifest, options }) => {
    const project = join(folder, 'shop', name)
    mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
    symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
    writeFileSync(join(project, 'shop.ts'), source)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...strict, ...options } }))
    const { stdout, status } = spawnSync(process.execPath, [join(dirname(manifest), 'bin/tsc'), '-p', project], {
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, ''])
  })
})

describe('the size', () => {
  /** Bytes of a program that uses the package, minified and compressed. */
  async function sizeOf(program: string): Promise<number> {
    const entry = join(folder, 'shop/entry.js')
    writeFileSync(entry, program)
    const bundle = await rolldown({ input: entry, platform: 'browser' })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    return brotliCompressSync(output[0].code).length
  }

  const uses: [name: string, program: string, most: number][] = [
    ['the server client', `import { Storekeep } from '@storekeep/sdk'; console.log(Storekeep)`, 5000],
    ['the storefront client', `import { Storefront } from '@storekeep/sdk/storefront'; console.log(Storefront)`, 4000],
    ['the verification of webhooks', `import { webhooks } from '@storekeep/sdk'; console.log(webhooks)`, 1500],
  ]

  it.each(uses)('the code of %s stays small, minified and compressed', async (name, program, most) => {
    const size = await sizeOf(program)
    process.stdout.write(`${name}: ${size} bytes\n`)
    expect(size).toBeLessThan(most)
  })

  it('the tarball stays small', () => {
    const { size } = statSync(tarball)
    process.stdout.write(`the tarball: ${size} bytes\n`)
    expect(size).toBeLessThan(80_000)
  })

  it('an unused import adds nothing', async () => {
    expect(await sizeOf(`import '@storekeep/sdk'; import '@storekeep/sdk/storefront'`)).toBeLessThan(10)
  })
})
