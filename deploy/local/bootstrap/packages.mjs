import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

export const pnpmVersion = '12.21.0'

/**
 * Installs pnpm in .tools/.
 * @param {import('./progress.mjs').Progress} progress
 */
export async function installPnpm(progress) {
  const command = join(root, '.tools/node_modules/.bin/pnpm')
  if (installedPnpm() === pnpmVersion && existsSync(command)) return command
  await progress.step(`pnpm ${pnpmVersion} into .tools/`, async () => {
    const npm = process.env.npm_execpath?.endsWith('npm-cli.js')
      ? [process.execPath, process.env.npm_execpath]
      : ['npm']
    const options = ['--prefix', join(root, '.tools'), '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
    mkdirSync(join(root, '.tools'), { recursive: true })
    await runTool(
      [...npm, 'install', ...options, `pnpm@${pnpmVersion}`],
      'npm cannot install pnpm. Is the package registry reachable?',
    )
  })
  return command
}

/**
 * Installs the packages of the lock file, unless they are already installed. A clone that has everything keeps it.
 * @param {import('./progress.mjs').Progress} progress
 * @param {string} pnpm
 * @param {'running' | 'everything'} purpose `running` leaves out the packages of checks and tests, half of all bytes
 */
export async function installPackages(progress, pnpm, purpose) {
  const stampFile = join(root, 'node_modules/.storekeep-installed')
  const hash = manifestsHash()
  const [installed, earlierPurpose] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  const wanted = earlierPurpose === 'everything' ? earlierPurpose : purpose
  if (installed === hash && earlierPurpose === wanted) return
  await progress.step(wanted === 'running' ? 'packages' : 'packages, with those of checks and tests', async () => {
    const options = ['--frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only']
    const selection = wanted === 'running' ? ['--prod', ...runtimePackages.map((name) => `--filter=${name}`)] : []
    await runTool(
      [pnpm, 'install', ...options, ...selection],
      'pnpm cannot install the packages. Is the package registry reachable?',
    )
    writeFileSync(stampFile, `${hash} ${wanted}`)
  })
}

/** All packages of the workspace but those of the tests, and the root, which has the tools of the checks. */
const runtimePackages = ['@storekeep/*', '!@storekeep/test', '!@storekeep/chart-test']

function installedPnpm() {
  try {
    return JSON.parse(readFileSync(join(root, '.tools/node_modules/pnpm/package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/** Changes with the manifests, the lock file, the machine and the folder. */
function manifestsHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${root} ${pnpmVersion}`)
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`)
  const folders = [
    '.',
    'proto',
    ...services,
    'gateway',
    'gateway/records',
    'gateway/sdk',
    'deploy/bundle',
    'deploy/local',
    'proto/codec/plugin',
    'deploy/local/runtime',
    'test',
  ]
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.pnpmfile.mjs',
    ...folders.map((folder) => `${folder}/package.json`),
  ]) {
    if (!existsSync(join(root, file)))
      throw new SetupError(`${file} is missing. Is this a complete copy of the repository?`)
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}
