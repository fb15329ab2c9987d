import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { chart, describeWithHelm } from './src/helm.ts'
import { invalidValues } from './src/invalid-values.ts'
import { renderError } from './src/render.ts'
import { scenarios, valuesOf } from './src/values.ts'

const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))

describe('values.schema.json', () => {
  it('declares the properties of every object', () => {
    expect(openObjects(schema, '')).toEqual([
      // Values shared with other charts, and objects of any kind.
      '/properties/global',
      '/properties/extraObjects/items',
      // Kubernetes accepts any properties here, too.
      '/definitions/V1ManagedFieldsEntry/properties/fieldsV1',
      // YAML anchors.
      '/patternProperties/^x-',
    ])
  })

  it('accepts the values of every scenario', () => {
    for (const scenario of scenarios) expect([scenario, violations(valuesOf(scenario))]).toEqual([scenario, []])
  })

  it.each(invalidValues)('rejects %j', (values, violation) => {
    expect(violations(valuesOf('default', values))).toContain(violation)
  })
})

describeWithHelm('Helm', () => {
  // One value for each keyword of the schema; Helm reports all violations together.
  it('applies the schema', async () => {
    const message = await renderError('default', {
      replicas: 3,
      defaults: { replicaCount: -1, extraEnv: [{ value: 'x' }], updateStrategy: { maxSurge: 'all' } },
      image: { pullPolicy: 'Sometimes' },
      services: { bans: { replica: 1 } },
      serviceSettings: { DATABASE_CONNECTIONS: 201 },
      telemetry: { samplingRatio: '0.1' },
      gateway: { settings: { TRUSTED_PROXIES: '0.0.0.0/0' } },
      publicBaseUrl: 'store.example.org',
    })
    for (const violation of [
      '(root): Additional property replicas is not allowed',
      'defaults.replicaCount: Must be greater than or equal to 0',
      'defaults.extraEnv.0: name is required',
      'image.pullPolicy must be one of',
      'serviceSettings.DATABASE_CONNECTIONS: Must be less than or equal to 200',
      'telemetry.samplingRatio: Invalid type. Expected: number, given: string',
      'gateway.settings.TRUSTED_PROXIES: Must not validate the schema',
      'publicBaseUrl: Does not match pattern',
    ])
      expect(message).toContain(violation)
    // One line for each mistake, including mistakes of a service.
    expect(message.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(10)
  })

  it('does not print secrets in error messages', async () => {
    const secrets = { DATABASE_URL: { value: 'mysql://stores:hunter2@db/x' } }
    expect(await renderError('default', { services: { stores: { secrets } } })).not.toContain('hunter2')
  })
})

const validate = new Ajv({ allErrors: true, strict: false }).compile(schema)

function violations(values: object): string[] {
  return validate(values) ? [] : (validate.errors ?? []).map(violationOf)
}

function violationOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/') || '(root)'
  const { additionalProperty, missingProperty, limit, type } = params
  const detail = additionalProperty ?? missingProperty ?? limit ?? [type ?? []].flat().join(' ')
  return `${path}: ${keyword} ${detail}`.trim()
}

/** The paths of objects that allow any property. */
function openObjects(node: unknown, path: string): string[] {
  if (node === null || typeof node !== 'object') return []
  const { type, additionalProperties } = node as Record<string, unknown>
  const isOpen = [type].flat().includes('object') && additionalProperties === undefined
  const below = Object.entries(node).flatMap(([name, value]) => openObjects(value, `${path}/${name}`))
  return isOpen || Object.keys(node).length === 0 ? [path, ...below] : below
}
