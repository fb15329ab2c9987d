import { relative } from 'node:path'
import { packChart } from '../../../helm/build/build-chart.ts'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'

/** `npm run chart` packs the chart. */
await runCommand(async ({ progress }) => {
  const archive = await progress.step('package of the chart', () => packChart(`${paths.root}dist`))
  console.log(`\n${relative(paths.root, archive)}`)
  return 0
})
