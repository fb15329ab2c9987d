import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const sdk = fileURLToPath(new URL('../', import.meta.url))

/** Builds the SDK and packs it with npm, as for publishing. Returns the path of the tarball. */
export async function packSdk(folder: string): Promise<string> {
  const source = join(folder, 'source')
  mkdirSync(source, { recursive: true })
  for (const name of ['package.json', 'README.md']) cpSync(join(sdk, name), join(source, name))
  await run(process.execPath, [join(sdk, 'build.mjs'), join(source, 'dist')])
  // Scripts would build again, into the sources.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm packed nothing')
  return join(folder, tarball)
}

/** Installs a tarball into a new folder, without a registry: it must need nothing else. */
export async function installTarball(tarball: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', tarball], { cwd: folder })
  return join(folder, 'node_modules/@storekeep/sdk')
}
