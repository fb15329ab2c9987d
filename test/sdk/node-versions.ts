import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** The program of a version of Node, from the npm package for this platform. */
export function findNode(major: 20 | 24): string {
  const program = join(packages, `node-${major}-${process.platform}-${process.arch}`, 'bin/node')
  if (!existsSync(program)) {
    throw new Error(
      `The tests of the SDK need Node ${major}; there is no npm package of it for ${process.platform}-${process.arch}.`,
    )
  }
  return program
}
