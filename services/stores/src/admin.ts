import { adminConfigFromProcess, invocationFromProcess } from './admin/config.ts'
import { runAdmin } from './admin/run.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  config: adminConfigFromProcess,
  invocation: invocationFromProcess(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
