import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { paths } from '../paths.ts'
import type { Scope } from '../run-command.ts'
import type { Engine } from './engine.ts'
import { type ImageMember, imageName, version } from './image-members.ts'

/** One image after the other: they share most of their layers. */
export async function buildImages(scope: Scope, engine: Engine, options: BuildOptions): Promise<void> {
  const revision = git('rev-parse', 'HEAD')
  for (const member of options.members) {
    const args = {
      MEMBER: member.folder,
      VERSION: version(),
      REVISION: revision,
      ...(options.base && { NODE_IMAGE: options.base }),
    }
    await scope.progress.step(`image ${imageName(member)}`, () =>
      engine.build(member.name, [
        ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
        ...registrySecrets(),
        ...(options.base && engine.program === 'podman' ? ['--pull=never'] : []),
        `--file=${join(paths.root, 'deploy/images/Dockerfile')}`,
        `--tag=${imageName(member)}`,
        paths.root,
      ]),
    )
  }
}

/** How this machine reaches the packages, where that is not as usual. */
function registrySecrets(): string[] {
  const files = { npmrc: join(homedir(), '.npmrc'), ca: process.env.NODE_EXTRA_CA_CERTS ?? '' }
  return Object.entries(files)
    .filter(([, file]) => existsSync(file))
    .map(([id, file]) => `--secret=id=${id},src=${file}`)
}

/** Nothing where there is no git, as in an unpacked archive. */
function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { cwd: paths.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

interface BuildOptions {
  members: readonly ImageMember[]
  /** The image that they begin with, instead of the one that the Dockerfile names. */
  base?: string | undefined
}
