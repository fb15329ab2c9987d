import { configFromProcess, invocationFromProcess } from './config.ts'
import { runAdmin } from './run-admin.ts'

// In `listen | head -1`, the reader ends first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runAdmin(process.argv.slice(2), {
  config: configFromProcess,
  invocation: invocationFromProcess(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  interrupted() {
    const abort = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
    return abort.signal
  },
})
