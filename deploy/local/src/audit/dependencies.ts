import type { Component, Sbom } from './sbom.ts'

/** Licences that allow use and redistribution without obligations beyond a notice. */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
])

/** Third-party packages in the images without a licence, or with a disallowed one, as `name@version: licence`. */
export function findLicenceProblems(sboms: readonly Sbom[]): string[] {
  const problems = sboms.flatMap(({ document }) =>
    document.components
      .filter((component) => !isOurs(component) && !isAllowed(licenceOf(component)))
      .map((component) => `${nameOf(component)}@${component.version}: ${licenceOf(component) || 'no licence'}`),
  )
  return [...new Set(problems)].sort()
}

/** The packages of the lock file that do not come from the registry with a SHA-512 hash. */
export function findUnverifiedPackages(lockFile: LockFile): string[] {
  return Object.entries(lockFile.packages)
    .filter(
      ([, { resolution }]) =>
        Object.keys(resolution).join() !== 'integrity' || !resolution.integrity?.startsWith('sha512-'),
    )
    .map(([name]) => name)
}

/** A Markdown table of the third-party packages that our packages name as production dependencies. */
export function directDependencies(sboms: readonly Sbom[]): string {
  const rows = new Map<string, { component: Component; images: Set<string> }>()
  for (const { image, document } of sboms) {
    const components = new Map(document.components.map((component) => [component['bom-ref'], component]))
    const ours = [document.metadata.component, ...document.components.filter(isOurs)].map((one) => one['bom-ref'])
    for (const { ref, dependsOn = [] } of document.dependencies) {
      if (!ours.includes(ref)) continue
      for (const component of dependsOn.flatMap((name) => components.get(name) ?? [])) {
        if (isOurs(component)) continue
        const row = rows.get(component['bom-ref']) ?? { component, images: new Set() }
        rows.set(component['bom-ref'], { ...row, images: row.images.add(image) })
      }
    }
  }
  const lines = [...rows.values()]
    .sort((a, b) => (nameOf(a.component) < nameOf(b.component) ? -1 : 1))
    .map(({ component, images }) => {
      const users = images.size === sboms.length ? 'all' : [...images].sort().join(', ')
      return `| \`${nameOf(component)}\` | ${component.version} | ${licenceOf(component)} | ${sourceOf(component)} | ${users} |`
    })
  return ['| package | version | licence | source | images |', '|---|---|---|---|---|', ...lines].join('\n')
}

function isAllowed(expression: string): boolean {
  const licences = expression.split(/[\s()]+|\bAND\b|\bOR\b/).filter((word) => word !== '')
  const isChoice = / OR /.test(expression) && !/ AND /.test(expression)
  return licences.length > 0 && licences[isChoice ? 'some' : 'every']((licence) => allowedLicences.has(licence))
}

function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ')
}

/** The source repository that the package names, as a web address. */
function sourceOf({ externalReferences = [] }: Component): string {
  const url = externalReferences.find(({ type }) => type === 'vcs')?.url ?? ''
  const path = url.replace(/^git\+|\.git$/g, '').replace(/^(git|ssh):\/\/(git@)?/, 'https://')
  return path === '' ? 'none' : path.replace(/^https:\/\//, '')
}

function nameOf({ group, name }: Component): string {
  return group ? `${group}/${name}` : name
}

function isOurs({ group }: Component): boolean {
  return group === '@storekeep'
}

export interface LockFile {
  packages: Record<string, { resolution: Record<string, string> }>
}
