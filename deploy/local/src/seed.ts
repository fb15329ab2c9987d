import { parseArgs } from 'node:util'
import { createEnvReader, readIdentityConfig } from '@storekeep/common/config'
import { type ProcessIdentity, readIdentity } from '@storekeep/common/identity'
import { ports } from '../../topology.ts'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { createDemoCheckout } from './system/demo-checkout.ts'
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
    const stores = await seed({ ...values, identity: adminIdentity() })
    const [store] = stores
    const checkoutUrl = store && (await createDemoCheckout(store, values.gateway))
    console.log(summary({ baseUrl: values.gateway, checkoutUrl }, [{ cell: 0, stores }], paths.data))
    return 0
  },
  { quiet: true },
)

/** The settings of the admin CLI, as its pod has them. */
function adminIdentity(): ProcessIdentity {
  const env = createEnvReader(process.env)
  const config = readIdentityConfig(env)
  env.finish()
  return readIdentity('admin-tools', config)
}

async function seed({ stores, gateway, identity }: { stores: string; gateway: string; identity: ProcessIdentity }) {
  try {
    return await seedDemo({ storesAddress: stores, identity, baseUrl: gateway, file: paths.demo })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SetupError(`Cannot create the demo stores with --stores ${stores} and --gateway ${gateway}: ${reason}`)
  }
}
