import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { paths } from '../paths.ts'

/** The members of the workspace that are a process, and so have an image: those with a src/main.ts. */
export function imageMembers(): ImageMember[] {
  const { packages } = parse(readFileSync(join(paths.root, 'pnpm-workspace.yaml'), 'utf8'))
  const folders = globSync(packages, { cwd: paths.root }).filter((folder) =>
    existsSync(join(paths.root, folder, 'src/main.ts')),
  )
  return folders.sort().map((folder) => ({ name: basename(folder), folder }))
}

/** The image of a member, as the chart and the compose file name it. */
export function imageName(member: Pick<ImageMember, 'name'>): string {
  return `storekeep/${member.name}:${version()}`
}

/** The version of this copy of Storekeep. */
export function version(): string {
  return JSON.parse(readFileSync(join(paths.root, 'package.json'), 'utf8')).version
}

export interface ImageMember {
  /** customers */
  name: string
  /** services/customers */
  folder: string
}
