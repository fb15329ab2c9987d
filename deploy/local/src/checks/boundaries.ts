import { readdir, readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { type BoundaryRule, boundaryRules } from './boundary-rules.ts'

/** Every import that a boundary rule forbids, as "file:line imports what (rule)". Types count like values. */
export async function findViolations(root: string, rules: readonly BoundaryRule[] = boundaryRules): Promise<string[]> {
  const violations: string[] = []
  for (const file of await sourcesBelow(root)) {
    const applying = rules.filter(({ from }) => from.test(file))
    if (applying.length === 0) continue
    for (const { specifier, line } of importsOf(file, await readFile(join(root, file), 'utf8'))) {
      const to = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier
      for (const rule of applying) {
        if (rule.to.test(to) && !rule.unless?.(file, to))
          violations.push(`${file}:${line} imports ${to} (${rule.name})`)
      }
    }
  }
  return violations.sort()
}

async function sourcesBelow(root: string): Promise<string[]> {
  const files: string[] = []
  for (const folder of ['services', 'gateway', 'test']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const file = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (entry.isFile() && /\.[cm]?[jt]s$/.test(file) && !file.includes('node_modules/')) files.push(file)
    }
  }
  return files
}

/** Static imports, re-exports, and dynamic imports of a constant. */
function importsOf(file: string, text: string): { specifier: string; line: number }[] {
  const { module, errors } = parseSync(file, text)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const found: { specifier: string; start: number }[] = []
  for (const { moduleRequest } of module.staticImports) {
    found.push({ specifier: moduleRequest.value, start: moduleRequest.start })
  }
  for (const { moduleRequest } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) found.push({ specifier: moduleRequest.value, start: moduleRequest.start })
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = /^['"`]([^'"`$]+)['"`]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1]
    if (specifier) found.push({ specifier, start: moduleRequest.start })
  }
  return found.map(({ specifier, start }) => ({ specifier, line: text.slice(0, start).split('\n').length }))
}
