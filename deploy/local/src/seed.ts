import { parseArgs } from 'node:util'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { seedDemo } from './system/seed.ts'
import { summary } from './system/summary.ts'

/** The demo stores in a system that something else started, such as a cluster behind port forwards. */
await runCommand(
  async () => {
    const { values } = parseArgs({
      options: {
        gateway: { type: 'string', default: 'http://127.0.0.1:8080' },
        stores: { type: 'string', default: '127.0.0.1:50051' },
      },
    })
    const stores = await seedDemo({ storesAddress: values.stores, baseUrl: values.gateway, file: paths.demo })
    console.log(summary(values.gateway, stores, paths.data))
    return 0
  },
  { quiet: true },
)
