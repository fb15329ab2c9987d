import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isOutage, withBulkConnection, withClient } from '../src/postgres/index.ts'
import { requireEnv } from '../testing/require-env.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'

const serverUrl = requireEnv('TEST_DATABASE_ADMIN_URL')
const select = { text: 'select 1 as n' }

async function openProxy() {
  const proxy = await startTcpProxy(serverUrl)
  onTestFinished(() => proxy.close())
  return proxy
}

/** A proxy that passes every other connection, and of those in between only what comes before the first statement. */
async function openMutingProxy(): Promise<{ url: string; isMute: () => boolean }> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let count = 0
  let isMute = false
  const server = createServer((inside) => {
    count += 1
    const passes = count % 2 === 1
    const outside = connect(Number(port), hostname)
    for (const socket of [inside, outside]) sockets.add(socket.on('error', () => {}))
    outside.pipe(inside)
    inside.on('close', () => outside.destroy())
    inside.on('data', (bytes) => {
      isMute ||= !passes && bytes[0] === 'Q'.charCodeAt(0)
      if (passes || !isMute) outside.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(serverUrl)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, isMute: () => isMute }
}

it('connecting fails if the chosen server accepts the connection and then does not respond', async () => {
  const { url, isMute } = await openMutingProxy()
  const chosen = `${url}?target_session_attrs=read-write`
  // On a busy machine, the search for the server may already fail.
  while (!isMute()) {
    const failed = await withClient({ url: chosen, connectMs: 4000 }, async () => {}).catch((error: unknown) => error)
    expect(isOutage(failed)).toBe(true)
  }
})

it('a statement fails at its time limit, and the connection is closed, if the server no longer responds', async () => {
  const proxy = await openProxy()
  const running = withClient({ url: proxy.url, connectMs: 60_000, statementMs: 500 }, async (client) => {
    proxy.stall()
    await client.query(select)
  })
  await expect(running).rejects.toThrow('Query read timeout')
})

it('closing the connection does not wait for a server that no longer responds', async () => {
  const proxy = await openProxy()
  await withClient({ url: proxy.url, connectMs: 60_000 }, async (client) => {
    await client.query(select)
    proxy.stall()
  })
})

it('a failed transaction of a bulk connection reports why it failed, also if it cannot be rolled back', async () => {
  const proxy = await openProxy()
  const running = withBulkConnection({ url: proxy.url, applicationName: 'test' }, (bulk) =>
    bulk.transaction(async () => {
      proxy.cut()
      throw new Error('the work failed')
    }),
  )
  await expect(running).rejects.toThrow('the work failed')
})
