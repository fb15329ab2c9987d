import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from '@storekeep/common/config'
import { readMigrateConfig } from '@storekeep/common/migrate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { paths } from '../paths.ts'
import { adminTools, gateway, memoryLimitMiB, pages, redisClients, services } from '../services.ts'
import { imagePackages } from './image-packages.ts'

const packages = imagePackages()
/** Each caller and service share a key. */
const pairs = [...services, gateway, pages, adminTools].flatMap(({ calls }) => calls)
const servers = ['postgres', 'nats', 'redis']

describe('deploy/compose.yaml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'storekeep-compose-'))
  let secrets: Environment
  let composed: Record<string, ComposeService>

  beforeAll(() => {
    for (const file of ['compose.yaml', 'compose-secrets.mjs'])
      copyFileSync(join(paths.root, 'deploy', file), join(folder, file))
    makeSecrets()
    secrets = parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
    composed = servicesOf(secrets)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(packages)(
    'gives $name all settings that it requires, and none that it does not read',
    async ({ name, folder }) => {
      const { readConfig } = await import(join(paths.root, folder, 'src/config.ts'))
      expectTaken(readConfig, composed[name]?.environment)
    },
  )

  it.each(services)('gives the migrations of $name their settings', ({ name }) => {
    const environment = composed[`${name}-migrations`]?.environment
    expectTaken(readMigrateConfig, environment)
    expect(environment?.DATABASE_URL).toBe(composed[name]?.environment?.DATABASE_URL)
  })

  it('runs every process without root, capabilities or a writable path other than /tmp', () => {
    for (const [name, service] of Object.entries(composed).filter(([name]) => !servers.includes(name))) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          user: expect.stringMatching(/^[1-9]\d{4}:/),
          read_only: true,
          tmpfs: ['/tmp'],
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        }),
      ])
    }
  })

  it('never pulls our images from a registry (name-squatting)', () => {
    for (const [name, { pull_policy }] of Object.entries(composed))
      expect([name, pull_policy]).toEqual([name, servers.includes(name) ? undefined : 'never'])
  })

  it.each(packages.filter(({ name }) => name !== 'admin-tools'))(
    'stops $name by SIGTERM even during its start, and waits for requests in flight',
    ({ name }) => {
      expect(composed[name]).toMatchObject({ init: true, stop_grace_period: '30s' })
    },
  )

  it('limits the memory of every process as the chart and npm start do', () => {
    const processes = packages.filter(({ name }) => name !== 'admin-tools')
    expect(processes.map(({ name }) => composed[name]?.mem_limit)).toEqual(processes.map(() => `${memoryLimitMiB}m`))
    expect(yamlOf('helm/storekeep/values.yaml').defaults.resources.limits.memory).toBe(`${memoryLimitMiB}Mi`)
  })

  it('pins every server image by its digest, the same as the chart and npm start', () => {
    const images = servers.map((name) => composed[name]?.image)
    for (const image of images) expect(image).toMatch(/^[a-z/]+:\d[\w.-]+@sha256:[0-9a-f]{64}$/)
    const chart = yamlOf('helm/storekeep/values.yaml').bundled
    expect(servers.map((name) => `${chart[name].image.repository}:${chart[name].image.tag}`)).toEqual(
      images.map((image) => (image?.includes('/') ? image : `library/${image}`)),
    )
    const local = yamlOf('deploy/local/infra.compose.yaml').services
    expect([local['nats-server'].image, local['redis-server'].image]).toEqual(images.slice(1))
  })

  it('gives each component its own user of NATS and Redis, which the servers know', () => {
    const text = readFileSync(join(folder, 'compose.yaml'), 'utf8')
    const { configs } = parse(interpolate(text, secrets), { merge: true })
    for (const { name } of services) {
      const { username, password } = new URL(composed[name]?.environment?.NATS_URL ?? '')
      expect(username).toBe(name)
      expect(configs['nats-accounts'].content).toContain(`user: ${name}\n        password: "${password}"`)
    }
    for (const { name } of redisClients) {
      const { username, password } = new URL(composed[name]?.environment?.REDIS_URL ?? '')
      expect(configs['redis-users'].content).toContain(`user ${username} on >${password} `)
      expect(username).toBe(name)
    }
  })

  it('publishes the gateway and the pages only, on the loopback address', () => {
    const published = Object.entries(composed).filter(([, { ports }]) => ports)
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
      ['gateway', ['127.0.0.1:8080:8080']],
      ['pages', ['127.0.0.1:8081:8081']],
    ])
  })

  it.each([
    [{}, 'http://localhost:8080'],
    [{ PUBLISHED_PORT: '9000' }, 'http://localhost:9000'],
    [{ PUBLISHED_PORT: '9000', PUBLIC_BASE_URL: 'https://store.example.org' }, 'https://store.example.org'],
  ])('gives the gateway its public base URL with %o', (given, baseUrl) => {
    expect(servicesOf({ ...secrets, ...given }).gateway?.environment?.PUBLIC_BASE_URL).toBe(baseUrl)
  })

  it.each([
    [{}, 'http://localhost:8081/checkout', 'http://localhost:8081/portal', 'http://localhost:8081/store'],
    [
      { PUBLISHED_PAGES_PORT: '9001' },
      'http://localhost:9001/checkout',
      'http://localhost:9001/portal',
      'http://localhost:9001/store',
    ],
    [
      { CHECKOUT_BASE_URL: 'https://pay.example' },
      'https://pay.example',
      'http://localhost:8081/portal',
      'http://localhost:8081/store',
    ],
  ])('gives the pages the addresses to which the services link, with %o', (given, checkoutUrl, portalUrl, storeUrl) => {
    const { pages: ours, gateway, checkout, customers, emails } = servicesOf({ ...secrets, ...given })
    for (const one of [ours, gateway, checkout, emails]) expect(one?.environment?.CHECKOUT_BASE_URL).toBe(checkoutUrl)
    for (const one of [ours, customers]) expect(one?.environment?.PORTAL_BASE_URL).toBe(portalUrl)
    for (const one of [ours, customers]) expect(one?.environment?.STORE_BASE_URL).toBe(storeUrl)
  })

  it('keeps data in named volumes and leaves no anonymous volumes behind', () => {
    expect(composed.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql'])
    expect(composed.nats?.volumes).toEqual(['nats:/data', './nats.conf:/etc/nats.conf:ro'])
    // The image declares a volume here; without the tmpfs every container would leave one behind.
    expect(composed.redis?.tmpfs).toEqual(['/data'])
  })

  it('contains no secret; the generated ones all differ', () => {
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length)
    expect(Object.keys(secrets)).toHaveLength(3 + 3 * services.length + redisClients.length + pairs.length)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  })

  it('keeps existing secrets', () => {
    expect(makeSecrets()).toContain('0 of them new')
    expect(parseEnv(readFileSync(join(folder, '.env'), 'utf8'))).toEqual(secrets)
  })

  function servicesOf(values: Environment): Record<string, ComposeService> {
    const text = readFileSync(join(folder, 'compose.yaml'), 'utf8')
    return parse(interpolate(text, values), { merge: true }).services
  }

  function makeSecrets(): string {
    return execFileSync(process.execPath, [join(folder, 'compose-secrets.mjs')], { encoding: 'utf8' })
  }
})

function yamlOf(file: string) {
  return parse(readFileSync(join(paths.root, file), 'utf8'))
}

/** `${NAME:-default}` and `${NAME:?}` as Compose does it; a default may hold another one. */
function interpolate(text: string, values: Environment): string {
  return text.replace(/\$\{(\w+):(?:-((?:[^${}]|\$\{[^}]*\})*)|\?)\}/g, (_all, name: string, fallback = '') =>
    interpolate(values[name] ?? fallback, values),
  )
}

/** Fails when a setting is missing, invalid or unused. */
function expectTaken(read: (env: Environment) => object, environment: Environment = {}): void {
  const asked = new Set<string>()
  read(
    new Proxy(environment, {
      get(target, name) {
        asked.add(String(name))
        return target[String(name)]
      },
    }),
  )
  expect(Object.keys(environment).filter((name) => !asked.has(name))).toEqual([])
}

interface ComposeService {
  image?: string
  pull_policy?: string
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  tmpfs?: string[]
  mem_limit?: string
}
