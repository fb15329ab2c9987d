import { parseArgs } from 'node:util'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { buildImages } from './images/build.ts'
import { findEngine } from './images/engine.ts'
import { imageMembers } from './images/image-members.ts'
import { makeStandInBase, standInBase } from './images/stand-in-base.ts'
import { tryImages } from './images/try.ts'
import { runCommand } from './run-command.ts'

const usage = 'Use: npm run images -- build [--base <image> | --stand-in-base] [member …], or: npm run images -- try'

/** `npm run images -- build` makes the images; `-- try` runs the whole system from them. */
await runCommand(async (scope) => {
  const { what, options, wanted } = readArguments()
  const all = imageMembers()
  const unknown = wanted.find((name) => !all.some((member) => member.name === name))
  if (unknown)
    throw new SetupError(`There is no member "${unknown}". Known: ${all.map(({ name }) => name).join(', ')}.`)
  const engine = await findEngine()
  if (what === 'try') return await tryImages(scope, engine)

  if (options['stand-in-base']) await makeStandInBase(scope, engine)
  await buildImages(scope, engine, {
    members: wanted.length > 0 ? all.filter(({ name }) => wanted.includes(name)) : all,
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
    const [what, ...wanted] = positionals
    const isTry = what === 'try' && wanted.length === 0 && process.argv.length === 3
    if (what !== 'build' && !isTry) throw new Error('neither build nor try')
    return { what, options, wanted }
  } catch {
    throw new SetupError(usage)
  }
}
