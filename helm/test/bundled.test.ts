import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeServices } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'
import { scenarios } from './src/values.ts'

describeWithHelm('bundled servers', async () => {
  const manifest = await render('bundled')

  it.each(scenarios.filter((name) => name !== 'bundled'))('are not deployed by ci/%s-values.yaml', async (scenario) => {
    expect((await render(scenario)).all('StatefulSet')).toEqual([])
  })

  it('store Postgres and NATS data on volumes, and nothing for Redis', () => {
    expect(manifest.names('StatefulSet')).toEqual(['shop-storekeep-nats', 'shop-storekeep-postgres'])
    for (const { spec } of manifest.all('StatefulSet')) expect(spec.volumeClaimTemplates).toHaveLength(1)
    expect(
      manifest.one('Deployment', 'shop-storekeep-redis').spec.template.spec.containers[0].args.slice(0, 4),
    ).toEqual(['--save', '', '--appendonly', 'no'])
  })

  it.each(['../../docs/deploying.md', '../../deploy/compose.yaml'])(
    'evict the least recently used Redis keys, as in %s',
    (file) => {
      const [container] = manifest.one('Deployment', 'shop-storekeep-redis').spec.template.spec.containers
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      expect(container.args[container.args.indexOf('--maxmemory-policy') + 1]).toBe('allkeys-lru')
      expect(/maxmemory-policy,?\s+([a-z-]+)/.exec(text)?.[1]).toBe('allkeys-lru')
    },
  )

  it('make Postgres log no row values, as in Compose', () => {
    const [container] = manifest.one('StatefulSet', 'shop-storekeep-postgres').spec.template.spec.containers
    expect(container.args).toContain('log_error_verbosity=terse')
    const compose = readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8')
    expect(compose).toContain('-c, log_error_verbosity=terse]')
  })

  it('are not restarted by a new chart version', () => {
    for (const { spec } of [...manifest.all('StatefulSet'), manifest.one('Deployment', 'shop-storekeep-redis')]) {
      const labels = Object.keys(spec.template.metadata.labels)
      expect(labels).not.toContain('helm.sh/chart')
      expect(labels).not.toContain('app.kubernetes.io/version')
    }
  })

  it('use an emptyDir if storage is empty', async () => {
    const none = { bundled: { postgres: { storage: '' }, nats: { storage: '' } } }
    for (const { spec } of (await render('bundled', none)).all('StatefulSet')) {
      expect(spec.volumeClaimTemplates).toBeUndefined()
      expect(spec.template.spec.volumes).toContainEqual({ name: 'data', emptyDir: {} })
    }
  })

  it('make NATS write every message to disk before acknowledging it', () => {
    expect(natsConf(manifest)).toMatch(/jetstream \{[^}]*\n {2}sync_interval: always\n/)
  })

  // Servers before 2.10 do not start with sync_interval.
  it('set sync_interval from NATS 2.10', async () => {
    const tags = ['2.9.25-alpine', '2.9', '2.10.0', '2.12.7-alpine']
    const configurations = await evaluate(
      tags.map((tag) => ({
        scenario: 'bundled',
        values: { bundled: { nats: { image: { tag } } } },
        expression: 'tpl (.Files.Get "files/nats.conf") $root',
      })),
    )
    expect(configurations.map((text) => String(text).includes('sync_interval'))).toEqual([false, false, true, true])
  })

  it('read their passwords from the Secret, and Redis only their hashes', () => {
    const pod = (server: string) => manifest.pods().find(({ owner }) => owner.endsWith(`-${server}`))
    const keys = (server: string) =>
      pod(server)?.spec.containers[0]?.env?.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? [])
    expect(keys('postgres')).toEqual(['postgres.PASSWORD'])
    expect(keys('nats')?.sort()).toEqual(codeServices.map(({ name }) => `${name}.NATS_PASSWORD`).sort())
    expect(keys('redis')).toBeUndefined()
    expect(JSON.stringify(pod('redis'))).toContain('"items":[{"key":"redis-users.acl","path":"redis-users.acl"}]')
  })

  it('give NATS and Redis the users of deploy/rights.ts, with a password each', () => {
    const variables = manifest.one('StatefulSet', 'shop-storekeep-nats').spec.template.spec.containers[0].env
    const used = [...natsConf(manifest).matchAll(/password: \$(\w+)/g)].map(([, name]) => name)
    expect(used.sort()).toEqual(variables.map(({ name }: { name: string }) => name).sort())
    expect(natsConf(manifest)).toContain('"events.stores.>"')
    const users = Buffer.from(manifest.one('Secret', 'shop-storekeep').data['redis-users.acl'], 'base64').toString()
    expect(users).not.toContain('$')
  })

  it.each(['postgres', 'nats', 'redis'])('have a Service for %s that selects its pods', (server) => {
    const { spec } = manifest.one('Service', `shop-storekeep-${server}`)
    const owner = [...manifest.all('StatefulSet'), ...manifest.all('Deployment')].find(({ metadata }) =>
      metadata.name.endsWith(server),
    )
    expect(owner?.spec.template.metadata.labels).toMatchObject(spec.selector)
    expect(owner?.spec.template.spec.containers[0].ports[0].name).toBe(spec.ports[0].targetPort)
  })

  it('are pulled from the default registry, or from global.imageRegistry', async () => {
    const registries = manifest.pods().map(({ spec }) => spec.containers[0]?.image.split('/')[0])
    expect(new Set(registries)).toEqual(new Set(['library', 'valkey', 'storekeep']))
    const mirrored = await render('bundled', { global: { imageRegistry: 'mirror.example.org' } })
    for (const { spec } of mirrored.pods()) expect(spec.containers[0]?.image).toMatch(/^mirror\.example\.org\//)
  })
})

function natsConf(manifest: Manifest): string {
  return manifest.one('ConfigMap', 'shop-storekeep-nats').data['nats.conf']
}
