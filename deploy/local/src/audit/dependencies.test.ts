import { describe, expect, it } from 'vitest'
import { findLicenceProblems, findUnverifiedPackages } from './dependencies.ts'
import type { Component, Sbom } from './sbom.ts'

describe('the licences of dependencies', () => {
  it.each(['MIT', 'Apache-2.0 AND BSD-3-Clause', '(MIT AND Apache-2.0)', 'GPL-3.0-only OR MIT'])(
    'allow %s',
    (expression) => {
      expect(findLicenceProblems([sbomOf({ licenses: [{ expression }] })])).toEqual([])
    },
  )

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MIT AND (GPL-3.0-only OR MIT)', 'SEE LICENSE IN FILE'])(
    'do not allow %s',
    (expression) => {
      expect(findLicenceProblems([sbomOf({ licenses: [{ expression }] })])).toEqual([`@x/left@1.2.3: ${expression}`])
    },
  )

  it('do not allow a second licence of a package, or none', () => {
    const both = [{ license: { id: 'MIT' } }, { license: { name: 'Commercial' } }]
    expect(findLicenceProblems([sbomOf({ licenses: both })])).toEqual(['@x/left@1.2.3: MIT AND Commercial'])
    expect(findLicenceProblems([sbomOf({})])).toEqual(['@x/left@1.2.3: no licence'])
  })
})

describe('the packages of the lock file', () => {
  it.each<[string, Record<string, string>]>([
    ['without a hash', {}],
    ['with a weak hash', { integrity: 'sha1-abc' }],
    ['from an address', { integrity: 'sha512-abc', tarball: 'https://example.org/left.tgz' }],
    ['from Git', { type: 'git', repo: 'https://example.org/left.git', commit: 'abc' }],
  ])('are reported %s', (_case, resolution) => {
    const right = { resolution: { integrity: 'sha512-abc' } }
    expect(findUnverifiedPackages({ packages: { 'left@1.2.3': { resolution }, 'right@1.0.0': right } })).toEqual([
      'left@1.2.3',
    ])
  })
})

function sbomOf(component: Partial<Component>): Sbom {
  const left = { 'bom-ref': 'left', group: '@x', name: 'left', version: '1.2.3', ...component }
  return {
    image: 'a',
    document: { metadata: { component: { 'bom-ref': 'a', name: 'a' } }, components: [left], dependencies: [] },
  }
}
