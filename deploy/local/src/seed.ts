import { parseArgs } from 'node:util'
import { ports } from '../../topology.ts'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { seedDemo } from './system/seed.ts'
import { summary } from './system/summary.ts'

/** Creates the demo stores in a system that runs elsewhere, such as a cluster behind port forwards. */
await runCommand(
  async () => {
    const { values } = parseArgs({
      options: {
        gateway: { type: 'string', default: `http://127.0.0.1:${ports.gateway}` },
        stores: { type: 'string', default: `127.0.0.1:${ports.grpc}` },
      },
    })
    const stores = await seed(values)
    console.log(summary(values.gateway, stores, paths.data))
    return 0
  },
  { quiet: true },
)

async function seed({ stores, gateway }: { stores: string; gateway: string }) {
  try {
    return await seedDemo({ storesAddress: stores, baseUrl: gateway, file: paths.demo })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`Cannot create the demo stores with --stores ${stores} and --gateway ${gateway}: ${reason}`)
  }
}
