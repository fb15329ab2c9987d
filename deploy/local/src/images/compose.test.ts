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
import { adminToolsCalls, services } from '../services.ts'
import { imageMembers, imageName } from './image-members.ts'

const members = imageMembers()
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

  it('runs every member of the workspace that is a process, and servers, and nothing else', () => {
    const migrations = services.map(({ name }) => `${name}-migrations`)
    const names = [...members.map(({ name }) => name), ...migrations, ...servers]
    expect(Object.keys(composed).sort()).toEqual(names.sort())
  })

  it.each(members)(
    'builds $name from its folder, under the name that "npm run images" gives it',
    ({ name, folder }) => {
      expect(composed[name]).toMatchObject({
        image: imageName({ name }),
        build: { context: '..', dockerfile: 'deploy/images/Dockerfile', args: { MEMBER: folder } },
      })
    },
  )

  it.each(members)('gives $name settings that it takes, and none that it does not read', async ({ name, folder }) => {
    const { readConfig } = await import(join(paths.root, folder, 'src/config.ts'))
    expectTaken(readConfig, composed[name]?.environment)
  })

  it.each(services)('migrates $name by its own image and role, before any service starts', ({ name }) => {
    const job = composed[`${name}-migrations`]
    expect(job).toMatchObject({ image: imageName({ name }), command: ['node', `services/${name}/src/migrate.ts`] })
    expectTaken(readMigrateConfig, job?.environment)
    expect(job?.environment?.DATABASE_URL).toBe(composed[name]?.environment?.DATABASE_URL)
    const condition = { condition: 'service_completed_successfully' }
    for (const service of services)
      expect(composed[service.name]?.depends_on?.[`${name}-migrations`]).toEqual(condition)
  })

  it('tells addresses to those who call, and to nobody else', () => {
    for (const { name, calls } of [...services, { name: 'admin-tools', calls: adminToolsCalls }]) {
      const told = Object.entries(composed[name]?.environment ?? {}).filter(([setting]) => setting.endsWith('_ADDRESS'))
      expect(told.map(([, address]) => address).sort()).toEqual(calls.map((one) => `dns:///${one}:50051`).sort())
    }
  })

  it('tells where Redis is to those who use it, and to nobody else', () => {
    const told = Object.keys(composed).filter((name) => composed[name]?.environment?.REDIS_URL !== undefined)
    const users = services.filter(({ redis }) => redis).map(({ name }) => name)
    expect(told.sort()).toEqual([...users, 'gateway'].sort())
  })

  it('confines every process: no root, no rights, nothing to write to but /tmp', () => {
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

  it('takes no image of ours from a registry, where the name may be another one’s', () => {
    for (const [name, { pull_policy }] of Object.entries(composed))
      expect([name, pull_policy]).toEqual([name, servers.includes(name) ? undefined : 'never'])
  })

  it.each(members.filter(({ name }) => name !== 'admin-tools'))(
    'ends $name by SIGTERM even while it starts, and gives it time for what is in flight',
    ({ name }) => {
      expect(composed[name]).toMatchObject({ init: true, stop_grace_period: '30s' })
    },
  )

  it('publishes the gateway alone, on this machine alone', () => {
    const published = Object.entries(composed).filter(([, { ports }]) => ports)
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['gateway', ['127.0.0.1:8080:8080']]])
  })

  it.each([
    [{}, 'http://localhost:8080'],
    [{ PUBLISHED_PORT: '9000' }, 'http://localhost:9000'],
    [{ PUBLISHED_PORT: '9000', PUBLIC_BASE_URL: 'https://store.example.org' }, 'https://store.example.org'],
  ])('leads people with %o to the same place from every process', (given, place) => {
    const told = servicesOf({ ...secrets, ...given })
    expect(told.gateway?.environment?.PUBLIC_BASE_URL).toBe(place)
    expect(told.customers?.environment?.PORTAL_BASE_URL).toBe(`${place}/portal`)
    expect(told.checkout?.environment?.CHECKOUT_BASE_URL).toBe(`${place}/checkout`)
  })

  it('keeps what must not be lost in volumes with a name, and leaves no other behind', () => {
    expect(composed.postgres?.volumes).toEqual(['postgres:/var/lib/postgresql'])
    expect(composed.nats?.volumes).toEqual(['nats:/data', './nats.conf:/etc/nats.conf:ro'])
    // Its image declares a volume here, which would be made anew with every container.
    expect(composed.redis?.tmpfs).toEqual(['/data'])
  })

  it('has no secret in it, and a different one for each purpose', () => {
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length)
    expect(Object.keys(secrets)).toHaveLength(5 + 2 * services.length)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  })

  it('keeps the secrets that are there', () => {
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

/** `${NAME:-default}` and `${NAME:?}` as Compose does it; a default may hold another one. */
function interpolate(text: string, values: Environment): string {
  return text.replace(/\$\{(\w+):(?:-((?:[^${}]|\$\{[^}]*\})*)|\?)\}/g, (_all, name: string, fallback = '') =>
    interpolate(values[name] ?? fallback, values),
  )
}

/** Throws, as the process would, when a setting is missing or wrong. */
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
  depends_on?: Record<string, object>
  ports?: string[]
  volumes?: string[]
  tmpfs?: string[]
}
