import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { git } from '../git.ts'
import { paths } from '../paths.ts'
import type { Scope } from '../run-command.ts'
import type { Engine } from './engine.ts'
import { type ImagePackage, imageName, version } from './image-packages.ts'

/** Builds the images one by one, because they share most of their layers. */
export async function buildImages(scope: Scope, engine: Engine, options: BuildOptions): Promise<void> {
  const revision = git('rev-parse', 'HEAD') ?? ''
  for (const built of options.packages) {
    const args = {
      PACKAGE: built.folder,
      VERSION: version(),
      REVISION: revision,
      ...(options.base && { NODE_IMAGE: options.base }),
    }
    await scope.progress.step(`image ${imageName(built)}`, () =>
      engine.build(built.name, [
        ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
        ...registrySecrets(),
        ...(options.base && engine.program === 'podman' ? ['--pull=never'] : []),
        `--file=${join(paths.root, 'deploy/images/Dockerfile')}`,
        `--tag=${imageName(built)}`,
        paths.root,
      ]),
    )
  }
}

/** Passes on this machine's npmrc or CA, if it needs them to reach the package registry. */
function registrySecrets(): string[] {
  const files = { npmrc: join(homedir(), '.npmrc'), ca: process.env.NODE_EXTRA_CA_CERTS ?? '' }
  return Object.entries(files)
    .filter(([, file]) => existsSync(file))
    .map(([id, file]) => `--secret=id=${id},src=${file}`)
}

interface BuildOptions {
  packages: readonly ImagePackage[]
  /** Base image; defaults to the one in the Dockerfile. */
  base?: string | undefined
}
