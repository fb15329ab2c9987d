import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '@storekeep/local/run-command'
import { packChart } from './build-chart.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** `npm run chart` packs the chart. */
await runCommand(async ({ progress }) => {
  const archive = await progress.step('package of the chart', () => packChart(dist))
  process.stdout.write(`\n${relative(process.cwd(), archive)}\n`)
  return 0
})
