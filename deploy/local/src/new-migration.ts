import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { migrationText, nextMigrationName } from './system/next-migration.ts'

await runCommand(
  async () => {
    const [service, name, ...rest] = process.argv.slice(2)
    const source = join(paths.root, 'services', service ?? '', 'src')
    if (!service || !name || rest.length > 0) {
      throw new SetupError('Usage: npm run new:migration -- <service> <name>, for example: stores add-store-notes')
    }
    if (!/^[a-z][a-z0-9-]*$/.test(service) || !existsSync(source)) throw new SetupError(`Unknown service "${service}".`)
    const folder = join(source, 'db/migrations')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, nextMigrationName(readdirSync(folder), name))
    writeFileSync(file, migrationText(name), { flag: 'wx' })
    console.log(relative(paths.root, file))
    return 0
  },
  { quiet: true },
)
