import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withKubernetesTypes } from './src/chart-schema.ts'
import { chart } from './src/helm.ts'

const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))

describe('the schema of the values', () => {
  it('knows the types of Kubernetes as they are; "node helm/test/src/write-schema.ts" writes them anew', async () => {
    expect(schema).toEqual(await withKubernetesTypes(schema))
  })

  it('says of every object which members it may have', () => {
    expect(openObjects(schema, '')).toEqual([
      // What other charts share, and objects of any kind.
      '/properties/global',
      '/properties/extraObjects/items',
      // Each service says beside these what it has.
      '/definitions/service/properties/settings',
      '/definitions/service/properties/secrets',
      // Open in Kubernetes too.
      '/definitions/V1ManagedFieldsEntry/properties/fieldsV1',
    ])
  })
})

/** Where an object of any shape is taken. */
function openObjects(node: unknown, path: string): string[] {
  if (node === null || typeof node !== 'object') return []
  const { type, additionalProperties } = node as Record<string, unknown>
  const isOpen = [type].flat().includes('object') && additionalProperties === undefined
  const below = Object.entries(node).flatMap(([name, value]) => openObjects(value, `${path}/${name}`))
  return isOpen || Object.keys(node).length === 0 ? [path, ...below] : below
}
