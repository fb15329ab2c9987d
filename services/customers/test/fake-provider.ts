import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server in the place of Steam and Mojang. What it does not know it answers with 404. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const what = searchParams.get('steamids') ?? pathname.split('/').at(-1) ?? ''
    asked.push(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`)
    const answer = answers.get(what.toLowerCase()) ?? answers.get('*')
    if (typeof answer === 'function') return answer(response)
    if (answer === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer(what, answer) {
      answers.set(what.toLowerCase(), answer)
    },
    steam(steamId, name = 'Ada', avatarfull: string | undefined = 'https://cdn.example/ada.jpg') {
      answers.set(steamId, { response: { players: [{ steamid: steamId, personaname: name, avatarfull }] } })
    },
    mojang(uuid, name) {
      const id = uuid.replaceAll('-', '')
      answers.set(id, { id, name })
      answers.set(name.toLowerCase(), { id, name })
    },
    forget: (what) => void answers.delete(what.toLowerCase()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** JSON, or whatever else the function does to the response. */
export type Answer = object | ((response: ServerResponse) => unknown)

export interface FakeProvider {
  url: string
  /** Path and query of every request. */
  asked: string[]
  /** `what` is a Steam ID, a bare uuid, a name, or `*` for everything else. */
  answer(what: string, answer: Answer): void
  steam(steamId: string, name?: string, avatarfull?: string): void
  mojang(uuid: string, name: string): void
  forget(what: string): void
  close(): Promise<void>
}

/** Never ends. */
export function hang(): void {}
