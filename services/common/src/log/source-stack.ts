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
    // Code of libraries has no entries; the closest one is that of a line before.
    if (!found || !('originalSource' in found) || found.generatedLine !== generatedLine) return text
    return `${new URL(found.originalSource, url).href}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

const place = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/g
/** Only those that exist: the message of an error, which is part of its stack, can contain any number of other places. */
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
