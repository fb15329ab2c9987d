import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiles the SDK: `node build.mjs [output folder]`, by default `dist/`. Runs before `npm pack`. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const output = resolve(process.argv[2] ?? join(folder, 'dist'))
rmSync(output, { recursive: true, force: true })
const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json'), '--outDir', output], {
  stdio: 'inherit',
})
// The compiler rewrites the endings of imports in JavaScript only.
for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const file = join(output, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(['"]\.{1,2}\/[^'"\n]*)\.ts(['"])/g, '$1.js$2'))
}
