import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { paths } from '../paths.ts'

/** The workspace packages that have an image: every package with a src/main.ts. */
export function imagePackages(): ImagePackage[] {
  const { packages } = parse(readFileSync(join(paths.root, 'pnpm-workspace.yaml'), 'utf8'))
  const folders = globSync(packages, { cwd: paths.root }).filter((folder) =>
    existsSync(join(paths.root, folder, 'src/main.ts')),
  )
  return folders.sort().map((folder) => ({ name: basename(folder), folder }))
}

/** The image's name and tag, as in the chart and in the compose file. */
export function imageName({ name }: Pick<ImagePackage, 'name'>): string {
  return `storekeep/${name}:${version()}`
}

export function version(): string {
  return JSON.parse(readFileSync(join(paths.root, 'package.json'), 'utf8')).version
}

export interface ImagePackage {
  /** customers */
  name: string
  /** services/customers */
  folder: string
}
