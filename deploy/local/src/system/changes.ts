import { once } from 'node:events'
import { watch } from 'chokidar'
import { paths } from '../paths.ts'
import { services } from '../services.ts'

/**
 * Watches the source files. Changes within 100 ms of each other are reported together, and runs of `apply`
 * never overlap. Uses chokidar because the recursive watch of Node misses files that an editor replaces by a rename.
 *
 * @param apply gets the changed files, as paths in the repository
 * @returns once watching, a function that stops it
 */
export async function watchSources(
  apply: (files: string[]) => Promise<void>,
  root = paths.root,
): Promise<() => Promise<void>> {
  const changed = new Set<string>()
  let applying: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const watcher = watch(watchedFolders, { cwd: root, ignoreInitial: true })
  watcher.on('all', (_event, name) => {
    if (!/\.(ts|sql|proto)$/.test(name) || name.endsWith('.test.ts')) return
    changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(run, 100)
  })
  await once(watcher, 'ready')

  function run(): void {
    if (applying || changed.size === 0) return
    const files = [...changed]
    changed.clear()
    applying = apply(files).finally(() => {
      applying = undefined
      run()
    })
  }

  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
}

/** The processes that run the changed files. */
export function processesOf(files: readonly string[]): Set<string> {
  const names = files.flatMap((file) => {
    if (file.startsWith('proto/records/')) return ['webhooks', 'gateway']
    if (/^(proto|services\/common)\//.test(file)) return [...services.map(({ name }) => name), 'pages', 'gateway']
    if (file.startsWith('gateway/')) return ['gateway']
    return /^services\/([^/]+)\//.exec(file)?.slice(1) ?? []
  })
  return new Set(names)
}

export const watchedFolders = [
  'proto/storekeep',
  'proto/conventions',
  'proto/records/src',
  'services/common/src',
  ...services.map(({ name }) => `services/${name}/src`),
  'services/pages/src',
  'gateway/src',
]
