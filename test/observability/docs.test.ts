import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { services } from '@storekeep/local/services'
import { describe, expect, it } from 'vitest'
import { valuesSchema } from '../../helm/build/values-schema.ts'
import { dashboards, root } from './files.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  'docs/walkthrough.md',
  'docs/delivery.md',
  'docs/deploying.md',
  'docs/operating.md',
  'docs/settings.md',
  'SECURITY.md',
  'docs/dependencies.md',
]
const guides = pages.slice(4).map((page) => readFileSync(join(root, page), 'utf8'))

describe('the documentation', () => {
  it.each(pages)('has valid links in %s', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it('names only tests that exist in SECURITY.md', () => {
    const named = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/`([\w./-]+\.test\.ts)`/g)]
    const files = named.map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(40)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('names only admin commands that exist', () => {
    const folder = join(root, 'services/admin-tools/src/commands')
    const known = readdirSync(folder).map((file) => file.replace('.ts', ''))
    const named = guides.flatMap((text) =>
      [...text.matchAll(/(?:^|`)admin ([a-z][a-z-]+)/gm)].map(([, name = '']) => name),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it('runs the admin CLI in the pod of admin-tools', () => {
    const places = guides.flatMap((text) =>
      [...text.matchAll(/exec (deploy\/\S+) -- node (\S+)/g)].map(([, ...place]) => place),
    )
    expect(places.length).toBeGreaterThan(1)
    for (const place of places)
      expect(place).toEqual(['deploy/storekeep-admin-tools', 'services/admin-tools/src/main.ts'])
  })

  it('names only settings that a process reads', () => {
    const read = new Set(
      configs().flatMap((text) => [...text.matchAll(/'([A-Z][A-Z_]+[A-Z])'/g)].map(([, name]) => name)),
    )
    const named = guides.flatMap((text) =>
      [...text.matchAll(/`(?:[\w<>.-]+\.)?([A-Z]+_[A-Z_]+[A-Z])(?:: [^`]*)?`/g)].map(([, name = '']) => name),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !read.has(name) && !others.has(name))).toEqual([])
  })

  it('searches only for log messages that a process writes', () => {
    const sources = sourcesOf(['gateway/src', 'services'])
    const searched = guides.flatMap((text) =>
      [...text.matchAll(/grep '([^"'^]+)'/g)].map(([, message = '']) => message),
    )
    expect(searched.length).toBeGreaterThan(4)
    expect(searched.filter((message) => !sources.some((source) => source.includes(message)))).toEqual([])
  })

  it('names only values that the chart accepts, in every document', async () => {
    const schema = (await valuesSchema()) as Schema
    const tops = Object.keys(schema.properties ?? {}).join('|')
    // Keys of the Secret, such as `gateway.REDIS_URL`, and files are no values.
    const value = new RegExp(
      `\`((?:${tops})\\.[a-z](?:[\\w-]|\\.[A-Za-z])*)(?<!\\.(?:ts|json|conf|yaml))(?::[^\`]*)?\``,
      'g',
    )
    const named = globSync('**/*.md', {
      cwd: root,
      exclude: (name) => /^(node_modules|\.\w+|dist)$/.test(name),
    }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(value)].map(([, path = '']) => ({ file, path })),
    )
    expect(named.length).toBeGreaterThan(40)
    const accepts = (path: string) => isAccepted(schema, schema, path.split('.'))
    expect(named.filter(({ path }) => !accepts(path))).toEqual([])
    // Negative control.
    expect(['services.webhooks.replicaCount', 'services.webhooks.replicas'].map(accepts)).toEqual([true, false])
  })
})

describe('dashboards in the documentation', () => {
  it('exist, and so do their panels', () => {
    const titles = new Set(
      dashboards.flatMap(({ title, panels }) => [
        title,
        title.replace('Storekeep / ', ''),
        ...panels.map((panel) => panel.title),
      ]),
    )
    const named = guides.flatMap((text) =>
      [...text.matchAll(/(?<!\*)\*([A-Z][^*:→\n]+)\*(?!\*)/g)].map(([, title = '']) => title),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((title) => ![...titles].some((known) => known.startsWith(title)))).toEqual([])
  })
})

describe('the commands of the documentation', () => {
  const chart = readFileSync(join(root, 'helm/storekeep/README.md'), 'utf8')
  const commands = [...guides, chart].flatMap((text) =>
    [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block.replaceAll('\\\n', ' ')),
  )

  it('give releases enough time for migrations', () => {
    const releases = commands.flatMap((block) => block.match(/^ *helm (?:install|upgrade|rollback) .*$/gm) ?? [])
    expect(releases.length).toBeGreaterThan(3)
    expect(releases.filter((command) => !command.includes('--timeout 20m'))).toEqual([])
  })

  it('loop over all services', () => {
    const loops = commands.flatMap((block) => [...block.matchAll(/for \w+ in (.*?); do/g)].map(([, list = '']) => list))
    const names = services.map(({ name }) => name).sort()
    expect(loops.length).toBeGreaterThan(2)
    for (const list of loops)
      expect(
        list
          .split(' ')
          .filter((name) => !['gateway', 'pages', 'admin-tools'].includes(name))
          .sort(),
      ).toEqual(names)
  })

  it('scale down only the pods of Storekeep', () => {
    expect(commands.filter((block) => /scale .*--all/.test(block))).toEqual([])
  })

  it('read the logs of all pods, not of a single one', () => {
    expect(guides.filter((text) => /logs (?:deploy|job)\//.test(text))).toEqual([])
  })
})

describe('secret files in the documentation', () => {
  const [git = [], images = []] = ['.gitignore', '.dockerignore'].map((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line) => line.replace('**/', '')),
  )

  it.each(['storekeep.env', 'storekeep.dump', 'storekeep-secrets.yaml', 'storekeep-ca.key'])(
    'are ignored by git and Docker: %s',
    (file) => {
      expect(guides.some((text) => text.includes(file))).toBe(true)
      for (const ignored of [git, images])
        expect(ignored.some((pattern) => pattern !== '' && matchesGlob(file, pattern))).toBe(true)
    },
  )
})

interface Schema {
  $ref?: string
  properties?: Readonly<Record<string, Schema | true>>
  additionalProperties?: Schema | boolean
  definitions?: Readonly<Record<string, Schema>>
}

/** Whether the schema has a value at the path. */
function isAccepted(whole: Schema, schema: Schema | boolean | undefined, [name, ...rest]: string[]): boolean {
  if (name === undefined || typeof schema === 'boolean' || schema === undefined) return schema !== false
  if (schema.$ref) {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((found, key) => (found as Schema)[key as 'properties'], whole)
    return isAccepted(whole, target as Schema, [name, ...rest])
  }
  return isAccepted(whole, schema.properties?.[name] ?? schema.additionalProperties ?? false, rest)
}

/** Settings of Node itself. */
const others = new Set(['NODE_EXTRA_CA_CERTS'])

function brokenLinks(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? join(root, page) : join(root, dirname(page), path)
    if (!existsSync(target)) return [link]
    return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link]
  })
}

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

function configs(): string[] {
  return sourcesOf(['gateway/src', 'services'], /config\.ts$/)
}

function sourcesOf(folders: string[], name = /(?<!\.test)\.ts$/): string[] {
  // Links of packages to each other form circles in node_modules.
  const exclude = ['**/node_modules/**']
  return folders.flatMap((folder) =>
    globSync('**/*.ts', { cwd: join(root, folder), exclude })
      .filter((file) => name.test(file))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
}
