import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { describeValues } from './values-reference.ts'
import { valuesSchema } from './values-schema.ts'

const source = fileURLToPath(new URL('../storekeep', import.meta.url))

/** Copies the chart to `folder` and adds what is generated: the schema of its values, and their reference in the README. */
export async function buildChart(folder: string): Promise<void> {
  await cp(source, folder, { recursive: true })
  await writeFile(join(folder, 'values.schema.json'), JSON.stringify(await valuesSchema()))
  const reference = describeValues(await readFile(join(folder, 'values.yaml'), 'utf8'))
  const readme = join(folder, 'README.md')
  await writeFile(readme, `${await readFile(readme, 'utf8')}\n## Reference of the values\n\n${reference}\n`)
}

/** Builds the chart and packs it as `helm package` does. Returns the path of the archive in `destination`. */
export async function packChart(destination: string): Promise<string> {
  const { version } = parse(await readFile(join(source, 'Chart.yaml'), 'utf8'))
  const archive = join(destination, `storekeep-${version}.tgz`)
  const work = await mkdtemp(join(tmpdir(), 'chart-'))
  try {
    await buildChart(join(work, 'storekeep'))
    await rm(join(work, 'storekeep/ci'), { recursive: true })
    await mkdir(destination, { recursive: true })
    await promisify(execFile)('tar', ['-czf', archive, '-C', work, 'storekeep'])
  } finally {
    await rm(work, { recursive: true })
  }
  return archive
}
