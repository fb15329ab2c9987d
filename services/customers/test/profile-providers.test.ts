import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@storekeep/common/log'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProfileProvider } from '../src/adapters/profiles/create-profile-provider.ts'
import type { ProfilesConfig } from '../src/config.ts'
import { type Answer, type FakeProvider, hang, startFakeProvider } from './fake-provider.ts'

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
  server.asked.length = 0
  now += 100_000_000
})

function providers(change: Partial<ProfilesConfig> = {}) {
  const steam = { baseUrl: `${server.url}/`, apiKey: 'steam key' }
  const mojang = { baseUrl: server.url, avatarUrl: 'https://heads.example/{uuid}.png' }
  const config = { steam, mojang, timeoutMs: 2000, cacheSize: 100, ...change }
  return createProfileProvider(config, { clock: { now: () => new Date(now) }, log })
}

/** Answers to all three questions. */
async function askAll(profiles = providers({ timeoutMs: 200 })) {
  const answers = [profiles.steam(steamId), profiles.minecraftByUuid(uuid), profiles.minecraftByName('Notch')]
  return (await Promise.all(answers)).map(({ outcome }) => outcome)
}

const failed = ['failed', 'failed', 'failed']

function answerAll(answer: Answer): void {
  for (const what of [steamId, bare, 'notch']) server.answer(what, answer)
}

describe('the profile providers', () => {
  it('tell a Steam account', async () => {
    server.steam(steamId, 'Robin 🦀', 'https://cdn.example/robin.jpg')
    const account = { id: steamId, name: 'Robin 🦀', avatarUrl: 'https://cdn.example/robin.jpg' }
    expect(await providers().steam(steamId)).toEqual({ outcome: 'found', account })
    expect(server.asked).toEqual([`/ISteamUser/GetPlayerSummaries/v0002/?key=steam+key&steamids=${steamId}`])
    server.answer(steamId, { response: { players: [{ steamid: steamId, personaname: 'Robin', more: {} }] } })
    expect(await providers().steam(steamId)).toMatchObject({ account: { name: 'Robin', avatarUrl: null } })
  })

  it('tell a Minecraft account, by uuid and by a name in any case', async () => {
    server.mojang(uuid, 'Notch')
    const account = { id: uuid, name: 'Notch', avatarUrl: `https://heads.example/${uuid}.png` }
    const profiles = providers()
    expect(await profiles.minecraftByUuid(uuid)).toEqual({ outcome: 'found', account })
    expect(await profiles.minecraftByName('nOTCH')).toEqual({ outcome: 'found', account })
    expect(server.asked).toEqual([`/user/profile/${bare}`, '/users/profiles/minecraft/nOTCH'])
  })

  it('tell for certain when there is no such account', async () => {
    for (const what of [bare, 'notch']) server.forget(what)
    server.answer(steamId, { response: { players: [] } })
    expect(await askAll()).toEqual(['absent', 'absent', 'absent'])
    for (const what of [bare, 'notch']) server.answer(what, (response) => response.writeHead(204).end())
    expect(await askAll()).toEqual(['absent', 'absent', 'absent'])
    // Steam has an answer of its own for that; a missing page says nothing about the account.
    server.forget(steamId)
    expect(await askAll()).toEqual(['failed', 'absent', 'absent'])
  })

  it.each([429, 500, 502, 403, 400, 201])('fail on status %i', async (status) => {
    answerAll((response) => response.writeHead(status).end('{}'))
    expect(await askAll()).toEqual(failed)
  })

  it.each<[string, Answer]>([
    ['nothing at all', hang],
    ['headers and no body', (response) => response.writeHead(200).flushHeaders()],
    ['half a body', (response) => response.writeHead(200).write('{"id"')],
    ['a broken connection', (response) => response.destroy()],
    ['no JSON', (response) => response.end('<html>')],
    ['bytes that are no text', (response) => response.end(Buffer.from([0x22, 0xff, 0x22]))],
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
  ])('fail on %s', async (_what, answer) => {
    answerAll(answer)
    expect(await askAll()).toEqual(failed)
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
  ])('do not believe the Steam account %j', async (player) => {
    server.answer(steamId, { response: { players: [player] } })
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
  ])('do not believe the Minecraft account %j', async (account) => {
    server.answer(bare, account)
    server.answer('notch', account)
    const profiles = providers()
    expect(await profiles.minecraftByUuid(uuid)).toMatchObject({ outcome: 'failed' })
    expect(await profiles.minecraftByName('Notch')).toMatchObject({ outcome: 'failed' })
  })

  it('never follow a redirect', async () => {
    const elsewhere: string[] = []
    const other = createServer((request, response) => {
      elsewhere.push(request.url ?? '')
      response.end(JSON.stringify({ id: bare, name: 'Notch' }))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    for (const status of [301, 302, 303, 307, 308]) {
      answerAll((response) => response.writeHead(status, { location }).end())
      expect(await askAll()).toEqual(failed)
    }
    expect(elsewhere).toEqual([])
    await new Promise((resolve) => other.close(resolve))
  })

  it('fail when nobody listens', async () => {
    const baseUrl = 'http://127.0.0.1:1'
    const profiles = providers({ steam: { baseUrl, apiKey: 'x' }, mojang: { baseUrl, avatarUrl: undefined } })
    expect(await askAll(profiles)).toEqual(failed)
  })

  it('ask once for callers at the same time, and remember what they were told', async () => {
    server.steam(steamId)
    const profiles = providers()
    const answers = await Promise.all(Array.from({ length: 20 }, () => profiles.steam(steamId)))
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    await profiles.steam(steamId)
    expect(server.asked).toHaveLength(1)
    now += 3_600_001
    await profiles.steam(steamId)
    expect(server.asked).toHaveLength(2)
  })

  it('remember absences for a minute, and failures not at all', async () => {
    server.forget('notch')
    const profiles = providers()
    await profiles.minecraftByName('Notch')
    server.mojang(uuid, 'Notch')
    expect(await profiles.minecraftByName('Notch')).toEqual({ outcome: 'absent' })
    now += 60_001
    expect(await profiles.minecraftByName('Notch')).toMatchObject({ outcome: 'found' })
    server.answer(steamId, (response) => response.writeHead(500).end())
    expect(await profiles.steam(steamId)).toMatchObject({ outcome: 'failed' })
    server.steam(steamId)
    expect(await profiles.steam(steamId)).toMatchObject({ outcome: 'found' })
  })

  it('forget what was not asked for longest when there is too much to remember', async () => {
    const names = ['aaa', 'bbb', 'ccc']
    for (const name of names) server.mojang(uuid, name)
    const profiles = providers({ cacheSize: 2 })
    for (const name of ['aaa', 'bbb', 'aaa', 'ccc', 'aaa', 'bbb']) await profiles.minecraftByName(name)
    expect(server.asked.map((path) => path.slice(-3))).toEqual(['aaa', 'bbb', 'ccc', 'bbb'])
  })

  it('are not asked when they are not configured', async () => {
    const profiles = providers({ steam: undefined, mojang: undefined })
    expect([profiles.knowsSteam, profiles.knowsMinecraft]).toEqual([false, false])
    expect(await askAll(profiles)).toEqual(['unasked', 'unasked', 'unasked'])
    expect(server.asked).toEqual([])
  })
})
