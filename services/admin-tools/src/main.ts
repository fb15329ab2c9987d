import { configFromProcess, invocationFromProcess } from './config.ts'
import { runAdmin } from './run-admin.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  config: configFromProcess,
  invocation: invocationFromProcess(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
