import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { pnpm } from '../../bootstrap/packages.mjs'
import { type ImagePackage, imagePackages } from '../images/image-packages.ts'
import { paths } from '../paths.ts'

/**
 * The software bill of materials of each image, in CycloneDX 1.6: the npm packages in the image, with versions, hashes,
 * licences and sources. pnpm reads them from the lock file and the installed packages, without the network.
 */
export async function readSboms(packages: readonly ImagePackage[] = imagePackages()): Promise<Sbom[]> {
  // The packages that the Dockerfile installs.
  const scope = [...packages.flatMap(({ folder }) => ['--filter', `{./${folder}}`]), 'sbom', '--prod', '--no-optional']
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application', '--split']
  const { stdout } = await execute(pnpm, [...scope, ...format], { cwd: paths.root, maxBuffer: 64 * 1024 * 1024 })
  const documents = stdout
    .trim()
    .split('\n')
    .map((line): Document => JSON.parse(line))
  return packages.map(({ name }) => {
    const document = documents.find(({ metadata }) => metadata.component.name === name)
    if (document === undefined) throw new Error(`pnpm returned no SBOM of ${name}.`)
    return { image: name, document: reproducible(document) }
  })
}

/** `name@version` of each third-party package, sorted. */
export function packageNames({ document }: Sbom): string[] {
  return document.components
    .filter(({ group }) => group !== '@storekeep')
    .map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
    .sort()
}

/** Identical for the same packages: sorted, without the time, and with a serial number that depends only on the content. */
function reproducible(given: Document): Document {
  const { serialNumber: _random, metadata, ...rest } = given
  const { timestamp: _now, ...described } = metadata
  const document = {
    ...rest,
    metadata: described,
    components: given.components.toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: given.dependencies
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.toSorted() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex')
  const uuid = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  return { ...document, serialNumber: `urn:uuid:${uuid}` }
}

const execute = promisify(execFile)

export interface Sbom {
  /** Name of the image, such as `customers`. */
  image: string
  document: Document
}

interface Document {
  serialNumber?: string
  metadata: { timestamp?: string; component: { 'bom-ref': string; name: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

export interface Component {
  'bom-ref': string
  group?: string
  name: string
  version: string
  licenses?: { expression?: string; license?: { id?: string; name?: string } }[]
  externalReferences?: { type: string; url: string; hashes?: { alg: string }[] }[]
}
