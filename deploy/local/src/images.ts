import { parseArgs } from 'node:util'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { writeSboms } from './audit/write-sboms.ts'
import { buildImages } from './images/build.ts'
import { findEngine } from './images/engine.ts'
import { imagePackages } from './images/image-packages.ts'
import { createStandInBase, standInBase } from './images/stand-in-base.ts'
import { tryImages } from './images/try-images.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run images -- build [--base <image> | --stand-in-base] [name …]
       npm run images -- sbom [name …]
       npm run images -- try`

/** `npm run images -- build` builds the images, `-- sbom` lists their contents, `-- try` runs the whole system from them. */
await runCommand(async (scope) => {
  const { action, options, names } = readArguments()
  const all = imagePackages()
  const unknown = names.find((name) => !all.some((one) => one.name === name))
  if (unknown)
    throw new SetupError(`Unknown image "${unknown}". The images are ${all.map(({ name }) => name).join(', ')}.`)
  const packages = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all
  if (action === 'sbom') return await writeSboms(packages)
  const engine = await findEngine()
  if (action === 'try') return await tryImages(scope, engine)

  if (options['stand-in-base']) await createStandInBase(scope, engine)
  await buildImages(scope, engine, {
    packages,
    base: options['stand-in-base'] ? standInBase : options.base,
  })
  return 0
})

function readArguments() {
  try {
    const { values: options, positionals } = parseArgs({
      options: { base: { type: 'string' }, 'stand-in-base': { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [action, ...names] = positionals
    const isTry = action === 'try' && names.length === 0
    const hasOptions = options.base !== undefined || options['stand-in-base']
    if (action !== 'build' && (hasOptions || !(isTry || action === 'sbom'))) throw new Error('invalid arguments')
    return { action, options, names }
  } catch {
    throw new SetupError(usage)
  }
}
