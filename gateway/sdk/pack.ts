import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool } from '../../deploy/local/bootstrap/run-tool.mjs'

const sdk = fileURLToPath(new URL('.', import.meta.url))

/** Builds the SDK and packs it with npm, as for publishing. Returns the path of the tarball in `folder`. */
export async function packSdk(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'storekeep-sdk-source-'))
  try {
    for (const name of ['package.json', 'README.md']) cpSync(join(sdk, name), join(source, name))
    await runTool([process.execPath, join(sdk, 'build.mjs'), join(source, 'dist')], 'Cannot build the SDK.')
    // Its script would build again, where the sources are.
    const command = ['npm', 'pack', '--ignore-scripts', '--pack-destination', folder]
    await runTool(command, 'Cannot pack the SDK.', { cwd: source })
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
  return join(folder, `storekeep-sdk-${version}.tgz`)
}
