import { watch } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../paths.ts'

/**
 * Calls `apply` with the changed source files, as paths in the repository, those of one moment together and one call
 * after the other. Answers how to stop that.
 */
export function watchSources(apply: (files: string[]) => Promise<void>, root = paths.root): () => void {
  const changed = new Set<string>()
  let applying: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const watchers = watchedFolders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(ts|sql|proto)$/.test(name) || name.endsWith('.test.ts')) return
      changed.add(`${folder}/${name.replaceAll('\\', '/')}`)
      clearTimeout(timer)
      timer = setTimeout(run, 100)
    }),
  )

  function run(): void {
    if (applying || changed.size === 0) return
    const files = [...changed]
    changed.clear()
    applying = apply(files).finally(() => {
      applying = undefined
      run()
    })
  }

  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

/** The members that have to restart. */
export function membersOf(files: readonly string[]): Set<string> {
  const names = files.flatMap((file) => {
    if (/^(proto|services\/common)\//.test(file)) return ['stores', 'customers', 'gateway']
    if (file.startsWith('gateway/')) return ['gateway']
    return /^services\/([^/]+)\//.exec(file)?.slice(1) ?? []
  })
  return new Set(names)
}

const watchedFolders = [
  'proto/storekeep',
  'services/common/src',
  'services/stores/src',
  'services/customers/src',
  'gateway/src',
]
