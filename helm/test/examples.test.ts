import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { codeServices, configReader, problemsOf } from './src/code.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { invalidFields } from './src/invalid-fields.ts'
import type { EnvironmentVariable } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { newestKubernetes, parseManifest, render } from './src/render.ts'

const examples = readdirSync(join(chart, 'examples'))
const services = codeServices.map(({ name }) => name)
const password = 'p@ss:/w%2Fö?#'

describeWithHelm('the examples', () => {
  const manifests = new Map<string, Manifest>()

  beforeAll(async () => {
    for (const file of examples) manifests.set(file.replace('-values.yaml', ''), await renderExample(file))
  })

  it.each(examples)('the example of %s creates valid objects', (file) => {
    const { objects } = exampleOf(file.replace('-values.yaml', ''))
    const own = objects.filter(({ apiVersion }) => !apiVersion.startsWith('external-secrets.io'))
    expect(own.flatMap(invalidFields)).toEqual([])
    expect(own.length).toBeGreaterThan(20)
  })

  it.each(services)(
    'CloudNativePG gives %s the URLs of its role, with any characters in its password',
    async (name) => {
      const { env = [] } = exampleOf('cloudnativepg').container(name)
      const given = { [`storekeep-${name}-db`]: { username: 'the role', password } }
      const settings = { ...(await render('default')).settings(name), ...resolve(env, given) }
      const read = await configReader(name)
      expect(problemsOf(() => read(withKeys(settings)))).toEqual([])
      const { database } = read(withKeys(settings)) as { database: { url: string; replica: { url: string } } }
      const urls = [database, database.replica].map(({ url }) => new URL(url))
      for (const { username, password: given, pathname, search } of urls) {
        expect([username, given].map(decodeURIComponent)).toEqual(['the role', password])
        expect([pathname, search]).toEqual(['/storekeep', '?sslmode=require'])
      }
      expect(urls.map(({ host }) => host)).toEqual(['pg-rw.databases:5432', 'pg-ro.databases:5432'])
    },
  )

  it('CloudNativePG gives the migrations both roles, and pods that serve requests only their own', () => {
    const manifest = exampleOf('cloudnativepg')
    const [container] = manifest.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    const secrets = {
      'pg-superuser': { username: 'postgres', password: 'x' },
      'storekeep-bans-db': { username: 'b', password },
    }
    expect(resolve(container.env, secrets)).toMatchObject({
      DATABASE_ADMIN_USER: 'postgres',
      DATABASE_ADMIN_URL: 'postgres://pg-rw.databases:5432/postgres?sslmode=require',
      DATABASE_URL: 'postgres://pg-rw.databases:5432/storekeep?sslmode=require',
      DATABASE_PASSWORD: password,
    })
    expect(JSON.stringify(manifest.all('Deployment'))).not.toContain('pg-superuser')
  })

  it('External Secrets adds host and port to the Secret, and every Secret is created', () => {
    const manifest = exampleOf('external-secrets')
    const given = { 'storekeep-redis': { host: 'redis.internal', port: '6380', password } }
    expect(resolve(manifest.container('gateway').env ?? [], given)).toMatchObject({
      REDIS_URL: 'rediss://redis.internal:6380',
      REDIS_PASSWORD: password,
    })
    const created = manifest.all('ExternalSecret').map(({ metadata }) => metadata.name)
    const used = manifest.pods().flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env.flatMap(secretOf)))
    expect(created.sort()).toEqual([...new Set(used)].sort())
  })

  it.each([
    [{ host: 'a,b', cluster: true }, { password: '/' }, 'redis+cluster://:%2F@a:6379,b:6379'],
    [
      { host: 'a,b,c', port: 26_380, sentinelMaster: 'shop', tls: true, userKey: 'user', sentinelPasswordKey: 'other' },
      { user: 'app', password: 'p', other: 's&?' },
      'rediss+sentinel://app:p@a:26380,b:26380,c:26380?master=shop&sentinel-password=s%26%3F',
    ],
    [
      { host: 'a', sentinelMaster: 'shop', sentinelUserKey: 'reader', sentinelPasswordKey: 'other' },
      { password: 'p', reader: 'r@', other: 's' },
      'redis+sentinel://:p@a:26379?master=shop&sentinel-user=r%40&sentinel-password=s',
    ],
  ])('a Secret with the parts %o for Redis gives the gateway the URL', async (fields, secret, url) => {
    const port = 'port' in fields ? fields.port : 26_379
    const manifest = await render('external', {
      secrets: { REDIS_URL: { existingSecret: 'redis', key: '', passwordKey: 'password', ...fields } },
      networkPolicy: { redis: { port: 6379, sentinelPort: 'sentinelMaster' in fields ? port : null } },
    })
    const settings = {
      ...manifest.settings('gateway'),
      ...resolve(manifest.container('gateway').env ?? [], { redis: secret }),
    }
    const { REDIS_URL = '' } = settings
    const read = await configReader('gateway')
    expect(read({ ...withKeys(settings), REDIS_URL })).toMatchObject({ redis: { url } })
  })

  it.each(services)(
    'NATS with JWTs gives %s a URL of three servers that its config.ts accepts, and its files',
    async (name) => {
      const manifest = exampleOf('nats-jwt')
      const place = 'shop-storekeep/' // the chart's own Secret
      const settings = { ...(await render('default')).settings(name), ...manifest.settings(name) }
      expect(settings.NATS_URL).toBe(`${place}NATS_URL`)
      const [secret] = manifest.all('Secret')
      const url = Buffer.from(secret?.data.NATS_URL, 'base64').toString()
      const databaseUrl = 'postgres://r:p@h/d'
      const read = await configReader(name)
      const config = read({
        ...withKeys(settings),
        DATABASE_URL: databaseUrl,
        DATABASE_REPLICA_URL: databaseUrl,
        NATS_URL: url,
        EMAIL_FROM: 'shop@example.org',
      })
      expect(config).toMatchObject({
        nats: {
          url: 'tls://nats-0.nats.messaging:4222,nats-1.nats.messaging:4222,nats-2.nats.messaging:4222',
          credsFile: '/etc/storekeep/nats/user.creds',
          tls: { caFile: '/etc/storekeep/nats/ca.crt', certFile: undefined, keyFile: undefined },
        },
      })
    },
  )

  it('Argo CD starts the Job, and everything it needs, before the pods', () => {
    const manifest = exampleOf('argocd')
    const waves = manifest.objects.flatMap(({ kind, metadata }) =>
      metadata.annotations?.['argocd.argoproj.io/sync-wave'] === '-1' ? [kind] : [],
    )
    expect(waves.sort()).toEqual(['Job', 'NetworkPolicy', 'ServiceAccount'])
    expect(JSON.stringify(manifest.all('Job'))).not.toContain('helm.sh/hook')
  })

  it('OpenShift lets the namespace assign users and groups', () => {
    for (const { spec } of exampleOf('openshift').pods()) {
      const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = spec.securityContext
      expect([runAsUser, runAsGroup, fsGroup, runAsNonRoot]).toEqual([undefined, undefined, undefined, true])
    }
  })

  function exampleOf(name: string): Manifest {
    const manifest = manifests.get(name)
    if (!manifest) throw new Error(`There is no example ${name}.`)
    return manifest
  }
})

async function renderExample(file: string): Promise<Manifest> {
  const flags = ['--namespace', 'shops', '--kube-version', newestKubernetes, '-f', `examples/${file}`]
  const { stdout, stderr } = await runHelm('template', 'shop', chart, ...flags)
  expect(stderr).toBe('')
  return parseManifest(stdout)
}

/** The variables as the kubelet sets them: values of Secrets, and `$(NAME)` replaced with an earlier variable. */
function resolve(env: readonly EnvironmentVariable[], secrets: Record<string, Record<string, string>>) {
  const settings: Record<string, string> = {}
  for (const { name, value, valueFrom } of env) {
    const place = valueFrom?.secretKeyRef
    const found = place ? secrets[place.name]?.[place.key] : value
    if (found === undefined) continue
    settings[name] = place ? found : found.replace(/\$\((\w+)\)/g, (text, other) => settings[other] ?? text)
  }
  return settings
}

/** Valid keys instead of references to Secrets, which this test does not resolve. */
function withKeys(settings: Record<string, string>): Record<string, string> {
  const key = 'A'.repeat(43)
  const keys = {
    ENCRYPTION_KEY: key,
    API_KEY_PEPPER: key,
    TOKEN_KEYS: `1:${key}`,
    CALL_KEYS: `gateway:stores=${key}`,
    NATS_URL: 'nats://n',
    REDIS_URL: 'redis://r',
    SMTP_URL: 'smtp://m',
  }
  return { ...settings, ...Object.fromEntries(Object.entries(keys).filter(([name]) => name in settings)) }
}

function secretOf({ valueFrom }: EnvironmentVariable): string[] {
  return valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef.name] : []
}
