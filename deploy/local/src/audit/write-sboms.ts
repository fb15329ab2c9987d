import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ImagePackage } from '../images/image-packages.ts'
import { paths } from '../paths.ts'
import { readSboms } from './sbom.ts'

/** Writes dist/sbom/<image>.cdx.json for each image and prints the files. @returns the exit code */
export async function writeSboms(packages: readonly ImagePackage[]): Promise<number> {
  const folder = join(paths.root, 'dist/sbom')
  mkdirSync(folder, { recursive: true })
  for (const { image, document } of await readSboms(packages)) {
    const file = join(folder, `${image}.cdx.json`)
    writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`)
    console.log(`${relative(paths.root, file)}  ${document.components.length} packages`)
  }
  return 0
}
