import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Simulates Steam and Mojang. Returns 404 for unknown accounts. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const responses = new Map<string, FakeResponse>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const what = searchParams.get('steamids') ?? pathname.split('/').at(-1) ?? ''
    requests.push(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`)
    const fake = responses.get(what.toLowerCase()) ?? responses.get('*')
    if (typeof fake === 'function') return fake(response)
    if (fake === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fake))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond(what, fake) {
      responses.set(what.toLowerCase(), fake)
    },
    steam(steamId, name = 'Ada', avatarfull: string | undefined = 'https://cdn.example/ada.jpg') {
      responses.set(steamId, { response: { players: [{ steamid: steamId, personaname: name, avatarfull }] } })
    },
    mojang(uuid, name) {
      const id = uuid.replaceAll('-', '')
      responses.set(id, { id, name })
      responses.set(name.toLowerCase(), { id, name })
    },
    forget: (what) => void responses.delete(what.toLowerCase()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A JSON body, or a function that writes the response. */
export type FakeResponse = object | ((response: ServerResponse) => unknown)

export interface FakeProvider {
  url: string
  /** Path and query of every request. */
  requests: string[]
  /** @param what a SteamID64, a UUID without dashes, a name, or `*` for everything else */
  respond(what: string, fake: FakeResponse): void
  steam(steamId: string, name?: string, avatarfull?: string): void
  mojang(uuid: string, name: string): void
  forget(what: string): void
  close(): Promise<void>
}

/** Never responds. */
export function hang(): void {}
