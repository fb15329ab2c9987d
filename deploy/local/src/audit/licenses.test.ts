import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { paths } from '../paths.ts'
import { findLicenseProblems } from './licenses.ts'

describe('the dependencies', () => {
  it.each(['MIT', '(Apache-2.0 AND BSD-3-Clause)'])('may have the license %s', (license) => {
    expect(findLicenseProblems({ [license]: [{ name: 'left' }] })).toEqual([])
  })

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'Unknown'])('may not have the license %s', (license) => {
    expect(findLicenseProblems({ MIT: [{ name: 'left' }], [license]: [{ name: 'right' }] })).toEqual([
      `right: ${license}`,
    ])
  })

  it('may have a weak copyleft only if they are separate libraries that can be replaced', () => {
    const named = (name: string) => findLicenseProblems({ 'LGPL-3.0-or-later': [{ name }] })
    expect(named('@img/sharp-libvips-linux-x64')).toEqual([])
    expect(named('left')).toEqual(['left: LGPL-3.0-or-later'])
  })

  it('are not checked if pnpm lists none', () => {
    expect(() => findLicenseProblems({})).toThrow('no production dependencies')
  })

  it('run no install scripts, and come from the registry with a hash', () => {
    const { allowBuilds } = yamlOf('pnpm-workspace.yaml')
    expect(allowBuilds).toHaveProperty(['@bufbuild/buf'])
    expect(Object.values(allowBuilds).filter((mayRun) => mayRun !== false)).toEqual([])
    const resolutions: { resolution: object }[] = Object.values(yamlOf('pnpm-lock.yaml').packages)
    expect(resolutions.length).toBeGreaterThan(100)
    for (const { resolution } of resolutions)
      expect(resolution).toEqual({ integrity: expect.stringMatching(/^sha512-/) })
  })
})

function yamlOf(file: string) {
  return parse(readFileSync(join(paths.root, file), 'utf8'))
}
