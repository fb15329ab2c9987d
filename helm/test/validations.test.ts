import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { evaluate } from './src/evaluate.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { newestKubernetes, render, renderError } from './src/render.ts'
import { type Scenario, scenarios } from './src/values.ts'

const { combinations, mistakes }: Record<'combinations' | 'mistakes', InvalidValues[]> = parse(
  readFileSync(new URL('src/invalid-values.yaml', import.meta.url), 'utf8'),
)

interface InvalidValues {
  values: object
  error: string
  scenario?: Scenario
}

const volume = { name: 'ca', configMap: { name: 'ca' } }
const key = 'D'.repeat(43)
const otherCell = (fields: object = {}) => ({ cell: 1, release: 'shop-1', namespace: 'shops-1', ...fields })

/** Values that resemble the mistakes above. */
const valid = {
  enabled: true,
  'x-anchors': { anything: [1] },
  commonLabels: { 'example.org/cost_center': '' },
  defaults: {
    resources: { requests: { cpu: '500m', memory: '0.5Gi' }, limits: { cpu: 0.5, memory: '512Mi' } },
    tolerations: [
      { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      { key: 'pool', value: 'x' },
    ],
    extraVolumes: [volume],
    extraVolumeMounts: [
      { name: 'ca', mountPath: '/etc/ca' },
      { name: 'tmp', mountPath: '/tmp/cache' },
      { name: 'ca', mountPath: '/application' },
    ],
  },
  gateway: { settings: { TRUSTED_PROXIES: '10.0.0.1, fd00::/8,2001:db8:0:0:0:0:0:1,::ffff' } },
  networkPolicy: {
    postgres: { to: [{ ipBlock: { cidr: '10.1.0.5/32', except: ['10.1.0.5/32'] } }] },
    nats: { to: [{ ipBlock: { cidr: 'fd00::/8' } }] },
    redis: { sentinelPort: 26_379 },
  },
  secrets: { REDIS_URL: { value: 'rediss+sentinel://u:x@a,b:26379/?master=shop' } },
  global: { imageRegistry: 'mirror.example.org:5000/cache' },
  services: {
    customers: { secrets: { TOKEN_KEYS: { value: `1:${key},2:${key}` } } },
    // The same role name on another server is another role.
    bans: { secrets: { DATABASE_URL: { value: 'postgresql://storekeep_stores:x@bans-db/storekeep?sslmode=require' } } },
  },
  cells: [otherCell(), otherCell({ cell: 63, release: 'shop' }), otherCell({ cell: 2, namespace: '' })],
  extraObjects: ['# nothing here\n', '---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: x}\n---\n'],
}

const expression = 'include "storekeep.validationErrors" $root | fromJsonArray | default list'

describeWithHelm('validations', () => {
  let found: Map<InvalidValues, unknown>

  beforeAll(async () => {
    const all = [...combinations, ...mistakes]
    const errors = await evaluate(all.map(({ values, scenario = 'default' }) => ({ scenario, values, expression })))
    found = new Map(all.map((one, index) => [one, errors[index]]))
  })

  it.each(combinations)('reject $scenario with $values', (one) => {
    expect(found.get(one)).toEqual([expect.stringContaining(one.error)])
  })

  it.each(mistakes)('report one line for $values', (one) => {
    expect(found.get(one)).toEqual([one.error])
  })

  it('accept every scenario and values close to a mistake', async () => {
    const cases = [
      ...scenarios.map((scenario) => ({ scenario, values: {} })),
      { scenario: 'default' as const, values: valid },
    ]
    expect(await evaluate(cases.map((one) => ({ ...one, expression })))).toEqual(cases.map(() => []))
  })

  it('name each missing setting once, with the services that need it', async () => {
    const [found] = await evaluate([{ scenario: 'minimal', values: { existingSecret: '' }, expression }])
    expect(found).toEqual([
      expect.stringMatching(/^services\.stores\.secrets\.API_KEY_PEPPER is missing: /),
      expect.stringMatching(/^secrets\.CALL_SECRET is missing, /),
      expect.stringMatching(/^services\.<name>\.secrets\.DATABASE_URL is missing for bans, checkout, .*, stores, /),
      expect.stringMatching(/^services\.<name>\.secrets\.ENCRYPTION_KEY is missing for bans, checkout, /),
      expect.stringMatching(/^secrets\.NATS_URL is missing: /),
      expect.stringMatching(/^secrets\.REDIS_URL is missing: /),
      expect.stringMatching(/^services\.customers\.secrets\.TOKEN_KEYS is missing: /),
    ])
  })

  it('answer an installation without values with flags that work', async () => {
    const flags = ['--namespace', 'shops', '--kube-version', newestKubernetes]
    const { code, stderr } = await runHelm('template', 'shop', chart, ...flags)
    expect(code).toBe(1)
    const [lines = ''] = stderr.split('\n\n')
    expect(lines.split('\n')).toHaveLength(2)
    const [, set = ''] = /add: --set (\S+)/.exec(lines) ?? []
    const trial = await runHelm('template', 'shop', chart, ...flags, '--set', set)
    expect([trial.code, trial.stderr]).toEqual([0, ''])
  })

  it('accept a percentage that leaves one pod to evict', async () => {
    const half = await render('default', { defaults: { podDisruptionBudget: { minAvailable: '50%' } } })
    expect(half.one('PodDisruptionBudget', 'shop-storekeep-bans').spec.minAvailable).toBe('50%')
  })

  it('stop the installation and report every error once', async () => {
    const values = { image: { tag: 'latest' }, publicBaseUrl: '', secrets: { NATS_URL: { value: '' } } }
    const message = await renderError('default', values)
    expect(message).toContain('The values are invalid:\n- image.tag must not be latest')
    expect(message).toContain('STORE_BASE_URL are missing')
    // Every service needs this setting.
    expect(message.split('secrets.NATS_URL is missing')).toHaveLength(2)
  })
})
