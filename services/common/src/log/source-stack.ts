import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Replaces positions in bundles with positions in the sources. The map of a bundle is read when its first error is logged;
 * Node's `--enable-source-maps` reads all maps at the start, which takes 100 ms and 10 MB.
 */
export function sourceStack(stack: string): string {
  return stack.replace(place, (text, url: string, line: string, column: string) => {
    const generatedLine = Number(line) - 1
    const found = mapOf(url)?.findEntry(generatedLine, Number(column) - 1)
    // Library code has no entries; the closest entry belongs to an earlier line.
    if (!found || !('originalSource' in found) || found.generatedLine !== generatedLine) return text
    return `${new URL(found.originalSource, url).href}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

const place = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/g
/** Only maps that exist: the error message is part of the stack and can contain any number of other places. */
const maps = new Map<string, SourceMap>()

function mapOf(url: string): SourceMap | undefined {
  const map = maps.get(url) ?? readMap(url)
  if (map) maps.set(url, map)
  return map
}

function readMap(url: string): SourceMap | undefined {
  if (url.includes('/node_modules/')) return undefined
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
