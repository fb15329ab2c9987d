import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { imagePackages } from '../images/image-packages.ts'
import { paths } from '../paths.ts'
import { readSboms, type Sbom } from './sbom.ts'

const packages = imagePackages()
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)

describe('the SBOM', () => {
  let sboms: Sbom[]

  beforeAll(async () => {
    sboms = await readSboms()
  })

  it.each(packages)('of $name is valid CycloneDX 1.6', async ({ name }) => {
    expect(await validator.validate(JSON.stringify(documentOf(name)))).toBeNull()
  })

  it.each(packages)('of $name lists its production dependencies, with hashes, and no others', ({ name, folder }) => {
    const { dependencies } = JSON.parse(readFileSync(join(paths.root, folder, 'package.json'), 'utf8'))
    const { components } = documentOf(name)
    const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
    for (const unwanted of ['vitest', 'typescript', 'fast-check', '@types/express'])
      expect(names).not.toContain(unwanted)
    const thirdParty = components.filter(({ group }) => group !== '@storekeep')
    const hashed = thirdParty.filter(({ externalReferences = [] }) =>
      externalReferences.some(({ hashes = [] }) => hashes.some(({ alg }) => alg === 'SHA-512')),
    )
    expect(hashed).toEqual(thirdParty)
  })

  it('list only packages whose install scripts do not run', () => {
    const { allowBuilds } = parse(readFileSync(join(paths.root, 'pnpm-workspace.yaml'), 'utf8'))
    expect(allowBuilds).toHaveProperty(['@bufbuild/buf'])
    expect(Object.values(allowBuilds).filter((mayRun) => mayRun !== false)).toEqual([])
  })

  it('is the same each time', async () => {
    expect(await readSboms()).toEqual(sboms)
  })

  function documentOf(name: string): Sbom['document'] {
    const found = sboms.find(({ image }) => image === name)
    if (found === undefined) throw new Error(`no SBOM of ${name}`)
    return found.document
  }
})
