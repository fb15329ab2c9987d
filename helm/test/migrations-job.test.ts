import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { codeServices } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Container } from './src/kubernetes-object.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name).sort()

describeWithHelm('the migrations Job', async () => {
  const hook = await render('default')
  const plain = await render('default', { migrations: { useHelmHooks: false } })

  it('runs the migrate.ts of every service', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    expect(containers.map(({ name }) => name)).toEqual(services)
    for (const { name, command } of containers) {
      expect(command).toEqual(['node', `services/${name}/src/migrate.ts`])
      expect([name, existsSync(fileURLToPath(new URL(`../../${command?.[1]}`, import.meta.url)))]).toEqual([name, true])
    }
  })

  it('gives each container only the credentials of its role and the administrator', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { name, env = [] } of containers) {
      expect(env.map((one) => one.valueFrom?.secretKeyRef?.key ?? one.value)).toEqual([
        'info',
        '0',
        `${name}.DATABASE_URL`,
        'DATABASE_ADMIN_URL',
      ])
    }
  })

  it.each([true, false])('reaches Postgres past a pooler, which the pods do not (hook: %s)', async (useHelmHooks) => {
    const direct = 'postgres://postgres.databases:5432/storekeep'
    const manifest = await render('default', {
      migrations: { useHelmHooks },
      secrets: { MIGRATIONS_DATABASE_URL: { value: direct } },
      services: { bans: { secrets: { MIGRATIONS_DATABASE_URL: { existingSecret: 'bans', key: 'direct' } } } },
    })
    const [job] = manifest.all('Job')
    const containers: Container[] = job?.spec.template.spec.containers
    expect(containers.map(({ name }) => name)).toEqual(services)
    for (const { name, env = [] } of containers) {
      const place = env.find((one) => one.name === 'MIGRATIONS_DATABASE_URL')?.valueFrom?.secretKeyRef
      if (name === 'bans') expect(place).toMatchObject({ name: 'bans', key: 'direct' })
      else {
        const encoded = manifest.one('Secret', place?.name ?? '').data[place?.key ?? '']
        expect(Buffer.from(encoded, 'base64').toString()).toBe(direct)
      }
    }
    expect(JSON.stringify(manifest.all('Deployment'))).not.toContain('MIGRATIONS_DATABASE_URL')
  })

  it.each([true, false])(
    'passes extraEnv and extraVolumes of the defaults, such as a CA for Postgres (hook: %s)',
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
  ])('runs before everything else as a hook, with its %s', (kind, weight) => {
    expect(hook.one(kind, 'shop-storekeep-migrations').metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': weight,
      'helm.sh/hook-delete-policy': `before-hook-creation,hook-succeeded${kind === 'Secret' ? ',hook-failed' : ''}`,
    })
  })

  it('refers to no object created after it, as a hook', () => {
    const { spec } = hook.one('Job', 'shop-storekeep-migrations').spec.template
    expect(spec.serviceAccountName).toBeUndefined()
    expect(JSON.stringify(spec)).not.toContain('"shop-storekeep"')
    expect(JSON.stringify(spec)).not.toContain('configMap')
  })

  it('has the revision in its name and is deleted after a day, without hooks', () => {
    const [name = ''] = plain.names('Job')
    expect(name).toMatch(/^shop-storekeep-migrations-1-[0-9a-f]{6}$/)
    const job = plain.one('Job', name)
    expect(job.metadata.annotations).toBeUndefined()
    expect(job.spec.ttlSecondsAfterFinished).toBe(86_400)
    expect(plain.names('Secret')).toEqual(['shop-storekeep'])
    expect(job.spec.template.spec.serviceAccountName).toBe('shop-storekeep')
  })

  // A Job is immutable, so without hooks every change of its spec must change its name.
  it('has a different name without hooks for every change of its spec', async () => {
    const changes = [
      { image: { tag: '9.9.9' } },
      { services: { bans: { image: { digest: `sha256:${'0'.repeat(64)}` } } } },
      { serviceSettings: { LOG_LEVEL: 'debug' } },
      { commonLabels: { team: 'shops' } },
      { defaults: { priorityClassName: 'shops' } },
      { migrations: { backoffLimit: 9 } },
      { migrations: { podAnnotations: { 'example.org/scan': 'true' } } },
    ]
    const names = await namesWith([{}, ...changes])
    expect(new Set(names).size).toBe(names.length)
  })

  it('keeps its name without hooks if its spec does not change', async () => {
    const [name, other] = await namesWith([{}, { gateway: { settings: { LOG_LEVEL: 'debug' } } }])
    expect(plain.names('Job')).toEqual([`shop-storekeep-${name}`])
    expect(other).toBe(name)
  })

  it.each(['', null])('is kept if ttlSecondsAfterFinished is %j', async (ttl) => {
    const migrations = { useHelmHooks: false, ttlSecondsAfterFinished: ttl }
    const [job] = (await render('default', { migrations })).all('Job')
    expect(job?.spec).not.toHaveProperty('ttlSecondsAfterFinished')
  })

  it('uses an existing service account as a hook', async () => {
    const manifest = await render('default', { serviceAccount: { create: false, name: 'shops' } })
    expect(manifest.one('Job', 'shop-storekeep-migrations').spec.template.spec.serviceAccountName).toBe('shops')
  })

  it('has a network policy with extraEgress', async () => {
    const extra = { ports: [{ port: 9999 }], to: [{ podSelector: {} }] }
    const manifest = await render('default', { networkPolicy: { extraEgress: [extra] } })
    expect(manifest.one('NetworkPolicy', 'shop-storekeep-migrations').spec.egress).toContainEqual(extra)
  })

  it('uses the image of each service', () => {
    const containers: Container[] = hook.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { name, image } of containers) expect(image).toBe(hook.container(name).image)
  })

  it('retries in new pods and exhausts its retries before its deadline', () => {
    const { backoffLimit, activeDeadlineSeconds, template } = hook.one('Job', 'shop-storekeep-migrations').spec
    expect(template.spec.restartPolicy).toBe('Never')
    // Each attempt waits up to two minutes for Postgres, with exponential backoff between attempts.
    const waits = (backoffLimit + 1) * 120
    const delays = 10 * (2 ** backoffLimit - 1)
    expect(waits + delays).toBeLessThan(0.75 * activeDeadlineSeconds)
  })

  it.each(codeServices.map(({ name }) => name))('disables migrations in the pods of %s', (service) => {
    expect(hook.settings(service).MIGRATE).toBe('false')
  })

  it('leaves migrations to the pods if disabled', async () => {
    const manifest = await render('minimal')
    expect(manifest.all('Job')).toEqual([])
    for (const service of services) expect(manifest.settings(service).MIGRATE).toBe('true')
  })

  it('needs no administrator', async () => {
    const manifest = await render('external')
    const containers: Container[] = manifest.one('Job', 'shop-storekeep-migrations').spec.template.spec.containers
    for (const { env = [] } of containers)
      expect(env.map(({ name }) => name)).toEqual(['LOG_LEVEL', 'CELL', 'DATABASE_URL', 'MIGRATIONS_DATABASE_URL'])
    expect(manifest.names('Secret')).toEqual([])
  })
})

/** The suffix of the Job's name, without hooks. */
function namesWith(variants: readonly Record<string, object>[]): Promise<unknown[]> {
  return evaluate(
    variants.map((values) => ({
      values: { ...values, migrations: { ...values.migrations, useHelmHooks: false } },
      expression: 'include "storekeep.migrationJobSuffix" $root',
    })),
  )
}
