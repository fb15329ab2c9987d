import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeServices, components } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { Container } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name).sort()

describe.skipIf(whyNoHelm)(`the migrations Job (${whyNoHelm ?? 'by Helm'})`, () => {
  let hook: Manifest
  let plain: Manifest

  beforeAll(async () => {
    hook = await render('default')
    plain = await render('default', { migrations: { useHelmHooks: false } })
  })

  it('runs the migrations of every service, each a program that is there', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    expect(containers.map(({ name }) => name)).toEqual(services)
    for (const { name, command } of containers) {
      expect(command).toEqual(['node', `services/${name}/src/migrate.ts`])
      expect([name, existsSync(fileURLToPath(new URL(`../../${command?.[1]}`, import.meta.url)))]).toEqual([name, true])
    }
  })

  it('gives each container the address of its own role, and the administrator', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { name, env = [] } of containers) {
      expect(env.map((one) => one.valueFrom?.secretKeyRef?.key ?? one.value)).toEqual([
        'info',
        `${name}.DATABASE_URL`,
        'DATABASE_ADMIN_URL',
      ])
    }
  })

  it.each([true, false])(
    'gives each what the pods get in addition, such as the authority of a Postgres over TLS (hook: %s)',
    async (useHelmHooks) => {
      const values = {
        defaults: {
          extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.pem' }],
          extraVolumes: [{ name: 'ca', configMap: { name: 'company-ca' } }],
          extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
        },
        migrations: { useHelmHooks },
      }
      const { extraEnv, extraVolumes, extraVolumeMounts } = values.defaults
      const [job] = (await render('default', values)).all('Job')
      const { containers, volumes } = job?.spec.template.spec ?? {}
      expect(volumes).toEqual(expect.arrayContaining(extraVolumes))
      expect(containers.map(({ name }: Container) => name)).toEqual(services)
      for (const { env, volumeMounts } of containers) {
        expect(env).toEqual(expect.arrayContaining(extraEnv))
        expect(volumeMounts).toEqual(expect.arrayContaining(extraVolumeMounts))
      }
    },
  )

  it.each([
    ['Job', '0'],
    ['Secret', '-10'],
    ['NetworkPolicy', '-10'],
  ])('as a hook comes before everything, with the %s that it needs', (kind, weight) => {
    expect(hook.one(kind, 'shop-storekeep-migrations').metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': weight,
      'helm.sh/hook-delete-policy': `before-hook-creation,hook-succeeded${kind === 'Secret' ? ',hook-failed' : ''}`,
    })
  })

  it('as a hook needs nothing that is only made after it', () => {
    const { spec } = hook.one('Job', 'shop-storekeep-migrations').spec.template
    expect(spec.serviceAccountName).toBeUndefined()
    expect(JSON.stringify(spec)).not.toContain('"shop-storekeep"')
    expect(JSON.stringify(spec)).not.toContain('configMap')
  })

  it('without hooks carries the revision in its name, and is removed after a day', () => {
    const [name = ''] = plain.names('Job')
    expect(name).toMatch(/^shop-storekeep-migrations-1-[0-9a-f]{6}$/)
    const job = plain.one('Job', name)
    expect(job.metadata.annotations).toBeUndefined()
    expect(job.spec.ttlSecondsAfterFinished).toBe(86_400)
    expect(plain.names('Secret')).toEqual(['shop-storekeep'])
    expect(job.spec.template.spec.serviceAccountName).toBe('shop-storekeep')
  })

  it('without hooks is another for another image, since a Job cannot change', async () => {
    const other = await render('default', { image: { tag: '9.9.9' }, migrations: { useHelmHooks: false } })
    expect(other.names('Job')).not.toEqual(plain.names('Job'))
  })

  it.each([
    { serviceSettings: { LOG_LEVEL: 'debug' } },
    { commonLabels: { team: 'shops' } },
    { defaults: { priorityClassName: 'shops' } },
    { migrations: { backoffLimit: 9 } },
    { migrations: { podAnnotations: { 'example.org/scan': 'true' } } },
  ])('without hooks is another with %j, since nothing of a Job can change', async (values) => {
    const migrations = { ...values.migrations, useHelmHooks: false }
    const other = await render('default', { ...values, migrations })
    expect(other.names('Job')).not.toEqual(plain.names('Job'))
  })

  it('without hooks keeps its name as long as it stays the same', async () => {
    const other = await render('default', {
      migrations: { useHelmHooks: false },
      gateway: { settings: { LOG_LEVEL: 'debug' } },
    })
    expect(other.names('Job')).toEqual(plain.names('Job'))
  })

  it.each(['', null])('without hooks is kept where its time is %j, so that nothing runs it anew', async (ttl) => {
    const migrations = { useHelmHooks: false, ttlSecondsAfterFinished: ttl }
    const [job] = (await render('default', { migrations })).all('Job')
    expect(job?.spec).not.toHaveProperty('ttlSecondsAfterFinished')
  })

  it('as a hook runs as the account that is there already, where the chart makes none', async () => {
    const manifest = await render('default', { serviceAccount: { create: false, name: 'shops' } })
    expect(manifest.one('Job', 'shop-storekeep-migrations').spec.template.spec.serviceAccountName).toBe('shops')
  })

  it('reaches what everyone may reach, before their policy is there', async () => {
    const extra = { ports: [{ port: 9999 }], to: [{ podSelector: {} }] }
    const manifest = await render('default', { networkPolicy: { extraEgress: [extra] } })
    expect(manifest.one('NetworkPolicy', 'shop-storekeep-migrations').spec.egress).toContainEqual(extra)
  })

  it('is another for another digest of one service, too', async () => {
    const services = { bans: { image: { digest: `sha256:${'0'.repeat(64)}` } } }
    const other = await render('default', { services, migrations: { useHelmHooks: false } })
    expect(other.names('Job')).not.toEqual(plain.names('Job'))
  })

  it('runs each service in the image that its pods run', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { name, image } of containers) expect(image).toBe(hook.container(name).image)
  })

  it('is tried again in new pods, whose logs stay, and has failed well before its deadline', () => {
    const { backoffLimit, activeDeadlineSeconds, template } = hook.one('Job', 'shop-storekeep-migrations').spec
    expect(template.spec.restartPolicy).toBe('Never')
    // Each try waits as long as it may for Postgres, and begins twice as late as the one before.
    const waits = (backoffLimit + 1) * 120
    const delays = 10 * (2 ** backoffLimit - 1)
    expect(waits + delays).toBeLessThan(0.75 * activeDeadlineSeconds)
  })

  it.each(components.filter((name) => name !== 'gateway'))('leaves nothing to migrate to the pods of %s', (service) => {
    expect(hook.settings(service).MIGRATE).toBe('false')
  })

  it('leaves it to the pods where it is switched off', async () => {
    const manifest = await render('minimal')
    expect(manifest.all('Job')).toEqual([])
    for (const service of services) expect(manifest.settings(service).MIGRATE).toBe('true')
  })

  it('does without an administrator where none is given', async () => {
    const manifest = await render('external')
    const containers: Container[] = manifest.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { env = [] } of containers) expect(env.map(({ name }) => name)).toEqual(['LOG_LEVEL', 'DATABASE_URL'])
    expect(manifest.names('Secret')).toEqual([])
  })
})
