import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sdk = fileURLToPath(new URL('.', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** Compiles the SDK and packs it with npm, as for publishing. Returns the path of the tarball in `folder`. */
export async function packSdk(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'storekeep-sdk-source-'))
  try {
    compile(join(source, 'dist'))
    cpSync(join(sdk, 'README.md'), join(source, 'README.md'))
    // Only the packed folder is complete, so only its manifest allows publishing.
    const { private: _private, ...manifest } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
    writeFileSync(join(source, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'pipe' })
    return join(folder, `storekeep-sdk-${manifest.version}.tgz`)
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

function compile(output: string): void {
  const args = [compiler, '-p', join(sdk, 'tsconfig.build.json'), '--outDir', output]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  // The compiler rewrites the endings of imports in JavaScript only.
  for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(output, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"]\.{1,2}\/[^'"\n]*)\.ts(['"])/g, '$1.js$2'))
  }
}
