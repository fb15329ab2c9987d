import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Scope } from '../run-command.ts'
import { type Engine, logged } from './engine.ts'

export const standInBase = 'storekeep/node-stand-in:24'

/**
 * An image like the official one of Node, made of Debian's packages and the Node and npm that run here: for machines
 * that reach no registry of images. It is for trying, never for running.
 */
export async function makeStandInBase(scope: Scope, engine: Engine): Promise<void> {
  if (await engine.has(standInBase)) return
  if (process.getuid?.() !== 0) throw new SetupError('--stand-in-base makes a Debian by debootstrap, which needs root.')
  await scope.progress.step(`base ${standInBase}`, async () => {
    const place = mkdtempSync(join(tmpdir(), 'storekeep-base-'))
    try {
      const root = join(place, 'root')
      await logged('debootstrap', 'debootstrap', ['--variant=minbase', 'bookworm', root])
      for (const leftover of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
        rmSync(join(root, leftover), { recursive: true, force: true })
      copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
      cpSync(npmFolder(), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
      symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
      const archive = join(place, 'root.tar')
      await logged('tar', 'tar', ['-C', root, '-cf', archive, '.'])
      const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
      await engine.tell('import', '--change', path, archive, standInBase)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  })
}

/** Of the npm that started this command. */
function npmFolder(): string {
  const program = process.env.npm_execpath
  if (!program?.endsWith('npm-cli.js')) throw new SetupError('--stand-in-base takes npm from "npm run"; start it so.')
  return dirname(dirname(program))
}
