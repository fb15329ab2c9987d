import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Scope } from '../run-command.ts'
import { type Engine, logged } from './engine.ts'

export const standInBase = 'storekeep/node-stand-in:26'

/**
 * Builds a replacement for the official Node image from Debian packages and the Node and npm of this machine. For
 * trials without an image registry, not for production.
 */
export async function createStandInBase(scope: Scope, engine: Engine): Promise<void> {
  if (await engine.has(standInBase)) return
  if (process.getuid?.() !== 0) throw new SetupError('--stand-in-base runs debootstrap, which needs root.')
  await scope.progress.step(`base ${standInBase}`, async () => {
    const place = mkdtempSync(join(tmpdir(), 'storekeep-base-'))
    try {
      const root = join(place, 'root')
      await logged('debootstrap', 'debootstrap', ['--variant=minbase', '--include=libatomic1', 'bookworm', root])
      for (const leftover of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
        rmSync(join(root, leftover), { recursive: true, force: true })
      copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
      cpSync(npmFolder(), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
      symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
      const archive = join(place, 'root.tar')
      await logged('tar', 'tar', ['-C', root, '-cf', archive, '.'])
      const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
      await engine.run('import', '--change', path, archive, standInBase)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
}

/** The folder of the npm that started this command. */
function npmFolder(): string {
  const program = process.env.npm_execpath
  if (!program?.endsWith('npm-cli.js'))
    throw new SetupError(
      '--stand-in-base copies the npm that runs it. Start it with: npm run images -- build --stand-in-base',
    )
  return dirname(dirname(program))
}
