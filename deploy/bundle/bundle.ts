import { mkdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Bundles processes, which then start in half the time: `node bundle.ts <output> <folder> …` writes `<output>/<name>.js`
 * for the `src/main.ts` of each folder. The bundles share chunks, and read other files where the sources are.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const [output = '', ...folders] = process.argv.slice(2)
mkdirSync(output, { recursive: true })
const dir = realpathSync(output)

const bundle = await rolldown({
  input: Object.fromEntries(folders.map((folder) => [basename(folder), join(root, folder, 'src/main.ts')])),
  cwd: root,
  platform: 'node',
  // The field that Node reads. Others select versions for bundlers, which our tests do not run.
  resolve: { mainFields: ['main'] },
  // Packages that libraries try to load and do without.
  external: ['pg-native', '@grpc/proto-loader'],
  // Removing unused code would take longer than it saves, and could remove side effects.
  treeshake: false,
  plugins: [leaveOutside(), keepLocations(), mapOurs(), escapeText()],
})
await bundle.write({
  dir,
  entryFileNames: '[name].js',
  comments: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
  cleanDir: true,
})
await bundle.close()

/** A library that loads native code finds it relative to its files, so a bundle imports it from where it is installed. */
function leaveOutside(): Plugin {
  return {
    name: 'leave-outside',
    resolveId: {
      filter: { id: /^sharp$/ },
      handler(id, importer) {
        const path = realpathSync(createRequire(importer ?? root).resolve(id))
        return { id: relative(dir, path), external: true }
      },
    },
  }
}

/** Modules find files relative to their sources. */
function keepLocations(): Plugin {
  return {
    name: 'keep-locations',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        const path = relative(dir, id).split('/').map(encodeURIComponent).join('/')
        const url = `new URL('${path}', import.meta.url).href`
        // Each line maps to itself.
        const mappings = `AAAA${';AACA'.repeat(code.split('\n').length - 1)}`
        return {
          code: code.replaceAll('import.meta.url', () => url),
          map: { version: 3, sources: [id], names: [], mappings },
        }
      },
    },
  }
}

/** Stack traces name the lines of our sources. The maps of libraries would be most of the memory of all maps. */
function mapOurs(): Plugin {
  const mappings = ''
  return {
    name: 'map-ours',
    transform: { filter: { id: /\/node_modules\// }, handler: (code) => ({ code, map: { mappings } }) },
  }
}

/**
 * Writes characters beyond Latin-1 as escapes. V8 keeps the text of a bundle in memory, with two bytes for every character if
 * any is not Latin-1: a dash in a message of a library doubled a megabyte. Without comments, such characters are only in
 * literals, where the escape means the same, except in a tagged template that reads `raw`. In stack traces, columns after an
 * escape on the same line are off.
 */
function escapeText(): Plugin {
  // A character after an escaping backslash means itself.
  const toEscape = (_all: string, backslashes: string, char: string) =>
    `${backslashes.slice(backslashes.length % 2)}\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'escape-text',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type === 'chunk') file.code = file.code.replace(/(\\*)([^\0-\xff])/g, toEscape)
      }
    },
  }
}
