import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@storekeep/common/log'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProfileProvider } from '../src/adapters/profiles/create-profile-provider.ts'
import type { ProfilesConfig } from '../src/config.ts'
import { type FakeProvider, type FakeResponse, hang, startFakeProvider } from './fake-provider.ts'

let server: FakeProvider
beforeAll(async () => {
  server = await startFakeProvider()
})
afterAll(() => server.close())

const steamId = '76561197960435530'
const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
const bare = uuid.replaceAll('-', '')
const log = createLogger({ service: 'test', level: 'silent' })
let now = 0
beforeEach(() => {
  server.requests.length = 0
  now += 100_000_000
})

function providers(change: Partial<ProfilesConfig> = {}) {
  const steam = { baseUrl: `${server.url}/`, apiKey: 'steam key' }
  const mojang = { baseUrl: server.url, avatarUrl: 'https://heads.example/{uuid}.png' }
  const config = { steam, mojang, timeoutMs: 10_000, cacheSize: 100, ...change }
  return createProfileProvider(config, { clock: { monotonicMs: () => now }, log })
}

/** The outcomes of all three lookups. */
async function lookUpAll(profiles = providers()) {
  const lookups = [profiles.steam(steamId), profiles.minecraftByUuid(uuid), profiles.minecraftByName('Notch')]
  return (await Promise.all(lookups)).map(({ outcome }) => outcome)
}

const failed = ['failed', 'failed', 'failed']

function respondAll(fake: FakeResponse): void {
  for (const what of [steamId, bare, 'notch']) server.respond(what, fake)
}

describe('the profile providers', () => {
  it('return a Steam account', async () => {
    server.steam(steamId, 'Robin 🦀', 'https://cdn.example/robin.jpg')
    const account = { id: steamId, name: 'Robin 🦀', avatarUrl: 'https://cdn.example/robin.jpg' }
    expect(await providers().steam(steamId)).toEqual({ outcome: 'found', account })
    expect(server.requests).toEqual([`/ISteamUser/GetPlayerSummaries/v0002/?key=steam+key&steamids=${steamId}`])
    server.respond(steamId, { response: { players: [{ steamid: steamId, personaname: 'Robin', more: {} }] } })
    expect(await providers().steam(steamId)).toMatchObject({ account: { name: 'Robin', avatarUrl: null } })
  })

  it('return a Minecraft account by UUID and by name, case-insensitively', async () => {
    server.mojang(uuid, 'Notch')
    const account = { id: uuid, name: 'Notch', avatarUrl: `https://heads.example/${uuid}.png` }
    const profiles = providers()
    expect(await profiles.minecraftByUuid(uuid)).toEqual({ outcome: 'found', account })
    expect(await profiles.minecraftByName('nOTCH')).toEqual({ outcome: 'found', account })
    expect(server.requests).toEqual([`/user/profile/${bare}`, '/users/profiles/minecraft/nOTCH'])
  })

  it('return not_found when the platform reports an unknown account', async () => {
    for (const what of [bare, 'notch']) server.forget(what)
    server.respond(steamId, { response: { players: [] } })
    expect(await lookUpAll()).toEqual(['not_found', 'not_found', 'not_found'])
    for (const what of [bare, 'notch']) server.respond(what, (response) => response.writeHead(204).end())
    expect(await lookUpAll()).toEqual(['not_found', 'not_found', 'not_found'])
    // Steam reports unknown accounts with an empty list, so a 404 says nothing about the account.
    server.forget(steamId)
    expect(await lookUpAll()).toEqual(['failed', 'not_found', 'not_found'])
  })

  it.each([429, 500, 502, 403, 400, 201])('fail on status %i', async (status) => {
    respondAll((response) => response.writeHead(status).end('{}'))
    expect(await lookUpAll()).toEqual(failed)
  })

  it.each<[string, FakeResponse]>([
    ['nothing at all', hang],
    ['headers and no body', (response) => response.writeHead(200).flushHeaders()],
    ['half a body', (response) => response.writeHead(200).write('{"id"')],
    ['a broken connection', (response) => response.destroy()],
    ['invalid JSON', (response) => response.end('<html>')],
    ['invalid UTF-8', (response) => response.end(Buffer.from([0x22, 0xff, 0x22]))],
    ['an empty body', (response) => response.end()],
    ['JSON of another kind', ['x']],
    ['null', (response) => response.end('null')],
    [
      'a body without an end',
      (response) => {
        const write = () => {
          while (!response.destroyed && response.write(' '.repeat(16_384)));
        }
        response.on('drain', write)
        write()
      },
    ],
    [
      'a body of 64 KiB and more',
      (response) => response.end(JSON.stringify({ id: bare, name: 'Notch', x: 'x'.repeat(70_000) })),
    ],
  ])('fail on %s', async (_what, fake) => {
    respondAll(fake)
    expect(await lookUpAll(providers({ timeoutMs: 200 }))).toEqual(failed)
  })

  it.each([
    [{ steamid: '76561197960435531', personaname: 'Robin' }],
    [{ steamid: Number(steamId), personaname: 'Robin' }],
    [{ steamid: steamId }],
    [{ steamid: steamId, personaname: 7 }],
    [{ steamid: steamId, personaname: '' }],
    [{ steamid: steamId, personaname: '   ' }],
    [{ steamid: steamId, personaname: 'a\u0000b' }],
    [{ steamid: steamId, personaname: 'a\nb' }],
    [{ steamid: steamId, personaname: 'x'.repeat(65) }],
    [{ steamid: steamId, personaname: 'Robin', avatarfull: 'javascript:alert(1)' }],
    [{ steamid: steamId, personaname: 'Robin', avatarfull: 'https://a:b@cdn.example/' }],
    [{ steamid: steamId, personaname: 'Robin', avatarfull: `https://cdn.example/${'x'.repeat(600)}` }],
  ])('reject the Steam account %j', async (player) => {
    server.respond(steamId, { response: { players: [player] } })
    expect(await providers().steam(steamId)).toMatchObject({ outcome: 'failed' })
  })

  it.each([
    [{ id: 'f'.repeat(32), name: 'Jeb_' }],
    [{ id: 'x', name: 'Notch' }],
    [{ name: 'Notch' }],
    [{ id: bare }],
    [{ id: bare, name: 'Notch\u0000' }],
    [{ id: bare, name: '' }],
    [{ id: bare, name: 'x'.repeat(17) }],
    [{ id: bare, name: ['Notch'] }],
  ])('reject the Minecraft account %j', async (account) => {
    server.respond(bare, account)
    server.respond('notch', account)
    const profiles = providers()
    expect(await profiles.minecraftByUuid(uuid)).toMatchObject({ outcome: 'failed' })
    expect(await profiles.minecraftByName('Notch')).toMatchObject({ outcome: 'failed' })
  })

  it('do not follow redirects', async () => {
    const elsewhere: string[] = []
    const other = createServer((request, response) => {
      elsewhere.push(request.url ?? '')
      response.end(JSON.stringify({ id: bare, name: 'Notch' }))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    for (const status of [301, 302, 303, 307, 308]) {
      respondAll((response) => response.writeHead(status, { location }).end())
      expect(await lookUpAll()).toEqual(failed)
    }
    expect(elsewhere).toEqual([])
    await new Promise((resolve) => other.close(resolve))
  })

  it('fail when the connection is refused', async () => {
    const baseUrl = 'http://127.0.0.1:1'
    const profiles = providers({ steam: { baseUrl, apiKey: 'x' }, mojang: { baseUrl, avatarUrl: undefined } })
    expect(await lookUpAll(profiles)).toEqual(failed)
  })

  it('share one request between concurrent callers and cache the result', async () => {
    server.steam(steamId)
    const profiles = providers()
    const results = await Promise.all(Array.from({ length: 20 }, () => profiles.steam(steamId)))
    expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1)
    await profiles.steam(steamId)
    expect(server.requests).toHaveLength(1)
    now += 3_600_001
    await profiles.steam(steamId)
    expect(server.requests).toHaveLength(2)
  })

  it('cache absences for a minute and failures not at all', async () => {
    server.forget('notch')
    const profiles = providers()
    await profiles.minecraftByName('Notch')
    server.mojang(uuid, 'Notch')
    expect(await profiles.minecraftByName('Notch')).toEqual({ outcome: 'not_found' })
    now += 60_001
    expect(await profiles.minecraftByName('Notch')).toMatchObject({ outcome: 'found' })
    server.respond(steamId, (response) => response.writeHead(500).end())
    expect(await profiles.steam(steamId)).toMatchObject({ outcome: 'failed' })
    server.steam(steamId)
    expect(await profiles.steam(steamId)).toMatchObject({ outcome: 'found' })
  })

  it('evict the least recently used account when the cache is full', async () => {
    const names = ['aaa', 'bbb', 'ccc']
    for (const name of names) server.mojang(uuid, name)
    const profiles = providers({ cacheSize: 2 })
    for (const name of ['aaa', 'bbb', 'aaa', 'ccc', 'aaa', 'bbb']) await profiles.minecraftByName(name)
    expect(server.requests.map((path) => path.slice(-3))).toEqual(['aaa', 'bbb', 'ccc', 'bbb'])
  })

  it('skip lookups that are not configured', async () => {
    const profiles = providers({ steam: undefined, mojang: undefined })
    expect([profiles.looksUpSteam, profiles.looksUpMinecraft]).toEqual([false, false])
    expect(await lookUpAll(profiles)).toEqual(['skipped', 'skipped', 'skipped'])
    expect(server.requests).toEqual([])
  })
})
