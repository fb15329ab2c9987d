import { fileURLToPath } from 'node:url'
import { freePort } from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'
import type { Receipt } from './receiver-server.ts'

/** Starts receiver-server.ts. */
export async function startReceiver(logDirectory: string): Promise<Receiver> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startChild({
    name: 'receiver',
    command: process.execPath,
    args: [fileURLToPath(new URL('receiver-server.ts', import.meta.url))],
    logFile: `${logDirectory}/receiver.log`,
    stopTimeoutMs: 5000,
    spawn: { env: { PATH: process.env.PATH, PORT: String(port) }, cwd: process.cwd() },
  })
  const takeReceipts = async () => (await (await fetch(url)).json()) as Receipt[]
  await waitUntilReady(child, async () => void (await takeReceipts()))
  return { url, takeReceipts, stop: () => child.stop() }
}

export interface Receiver {
  url: string
  /** The receipts since the last call, in the order of their arrival. */
  takeReceipts(): Promise<Receipt[]>
  stop(): Promise<unknown>
}
