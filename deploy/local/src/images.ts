import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pnpm } from '../bootstrap/packages.mjs'
import { runTool } from '../bootstrap/run-tool.mjs'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { buildImages } from './images/build.ts'
import { findEngine } from './images/engine.ts'
import { type ImagePackage, imagePackages } from './images/image-packages.ts'
import { createStandInBase, standInBase } from './images/stand-in-base.ts'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run images -- build [--base <image> | --stand-in-base] [name …]
       npm run images -- sbom [name …]`

/** `npm run images -- build` builds the images, `-- sbom` lists their contents. */
await runCommand(async (scope) => {
  const { action, options, names } = readArguments()
  const all = imagePackages()
  const unknown = names.find((name) => !all.some((one) => one.name === name))
  if (unknown)
    throw new SetupError(`Unknown image "${unknown}". The images are ${all.map(({ name }) => name).join(', ')}.`)
  const packages = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all
  if (action === 'sbom') {
    await scope.progress.step('dist/sbom', () => writeSboms(packages))
    return 0
  }
  const engine = await findEngine()
  if (options['stand-in-base']) await createStandInBase(scope, engine)
  await buildImages(scope, engine, {
    packages,
    base: options['stand-in-base'] ? standInBase : options.base,
  })
  return 0
})

/** pnpm reads the packages that the Dockerfile installs from the lock file and the installed packages, without the network. */
async function writeSboms(packages: readonly ImagePackage[]): Promise<void> {
  const scope = packages.flatMap(({ folder }) => ['--filter', `{./${folder}}`])
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application', '--split']
  const output = ['--out', join(paths.root, 'dist/sbom/%s.cdx.json')]
  await runTool([pnpm, ...scope, 'sbom', '--prod', ...format, ...output], 'pnpm cannot write the SBOM.')
}

function readArguments() {
  try {
    const { values: options, positionals } = parseArgs({
      options: { base: { type: 'string' }, 'stand-in-base': { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [action, ...names] = positionals
    const hasOptions = options.base !== undefined || options['stand-in-base']
    if (action !== 'build' && (action !== 'sbom' || hasOptions)) throw new Error('invalid arguments')
    return { action, options, names }
  } catch {
    throw new SetupError(usage)
  }
}
