import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render, scenarios } from './src/render.ts'

describe.skipIf(whyNoHelm)(`bundled servers (${whyNoHelm ?? 'by Helm'})`, () => {
  let manifest: Manifest

  beforeAll(async () => {
    manifest = await render('bundled')
  })

  it.each(scenarios.filter((name) => name !== 'bundled'))('are not there with the values of %s', async (scenario) => {
    expect((await render(scenario)).all('StatefulSet')).toEqual([])
  })

  it('keep what must be kept on volumes, and Redis nothing', () => {
    expect(manifest.names('StatefulSet')).toEqual(['shop-storekeep-nats', 'shop-storekeep-postgres'])
    for (const { spec } of manifest.all('StatefulSet')) expect(spec.volumeClaimTemplates).toHaveLength(1)
    expect(
      manifest.one('Deployment', 'shop-storekeep-redis').spec.template.spec.containers[0].args.slice(0, 4),
    ).toEqual(['--save', '', '--appendonly', 'no'])
  })

  it.each(['../../docs/deploying.md', '../../deploy/compose.yaml'])(
    'of Redis make room as %s says, by whatever was used longest ago',
    (place) => {
      const [container] = manifest.one('Deployment', 'shop-storekeep-redis').spec.template.spec.containers
      const text = readFileSync(new URL(place, import.meta.url), 'utf8')
      expect(container.args[container.args.indexOf('--maxmemory-policy') + 1]).toBe('allkeys-lru')
      expect(/maxmemory-policy,?\s+([a-z-]+)/.exec(text)?.[1]).toBe('allkeys-lru')
    },
  )

  it('are not started again by another version of the chart', () => {
    for (const { spec } of [...manifest.all('StatefulSet'), manifest.one('Deployment', 'shop-storekeep-redis')]) {
      const labels = Object.keys(spec.template.metadata.labels)
      expect(labels).not.toContain('helm.sh/chart')
      expect(labels).not.toContain('app.kubernetes.io/version')
    }
  })

  it('can do without volumes', async () => {
    const none = { bundled: { postgres: { storage: '' }, nats: { storage: '' } } }
    for (const { spec } of (await render('bundled', none)).all('StatefulSet')) {
      expect(spec.volumeClaimTemplates).toBeUndefined()
      expect(spec.template.spec.volumes).toContainEqual({ name: 'data', emptyDir: {} })
    }
  })

  it('of NATS have every message on disk before it is acknowledged', () => {
    expect(natsConf(manifest)).toMatch(/jetstream \{[^}]*\n {2}sync_interval: always\n/)
  })

  it.each([
    ['2.9.25-alpine', false],
    ['2.9', false],
    ['2.10.0', true],
    ['2.12.7-alpine', true],
  ])('of NATS %s get that line: %s, since older ones refuse to start with it', async (tag, known) => {
    const older = await render('bundled', { bundled: { nats: { image: { tag } } } })
    expect(natsConf(older).includes('sync_interval')).toBe(known)
  })

  it.each(['postgres', 'nats', 'redis'])('of %s take their password from the Secret', (server) => {
    const [pod] = manifest.pods().filter(({ owner }) => owner.endsWith(`-${server}`))
    const variables = pod?.spec.containers[0]?.env ?? []
    expect(variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? [])).toEqual([`${server}.PASSWORD`])
  })

  it.each(['postgres', 'nats', 'redis'])(
    'of %s are found by their own name, and their pods by their Service',
    (server) => {
      const { spec } = manifest.one('Service', `shop-storekeep-${server}`)
      const owner = [...manifest.all('StatefulSet'), ...manifest.all('Deployment')].find(({ metadata }) =>
        metadata.name.endsWith(server),
      )
      expect(owner?.spec.template.metadata.labels).toMatchObject(spec.selector)
      expect(owner?.spec.template.spec.containers[0].ports[0].name).toBe(spec.ports[0].targetPort)
    },
  )

  it('come from the registry that the cluster takes unless told otherwise, or from a mirror', async () => {
    const paths = (await render('bundled')).pods().map(({ spec }) => spec.containers[0]?.image.split('/')[0])
    expect(new Set(paths)).toEqual(new Set(['library', 'valkey', 'storekeep']))
    const mirrored = await render('bundled', { global: { imageRegistry: 'mirror.example.org' } })
    for (const { spec } of mirrored.pods()) expect(spec.containers[0]?.image).toMatch(/^mirror\.example\.org\//)
  })
})

function natsConf(manifest: Manifest): string {
  return manifest.one('ConfigMap', 'shop-storekeep-nats').data['nats.conf']
}
