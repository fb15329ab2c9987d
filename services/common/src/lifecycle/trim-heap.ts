import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects the garbage of the start, a third of the memory of an idle process. V8 would keep it until there is load,
 * because it collects when memory fills up. Takes up to 100 ms.
 */
export function trimHeap(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  // Also returns the memory of short-lived objects to the operating system, which other collections keep.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
