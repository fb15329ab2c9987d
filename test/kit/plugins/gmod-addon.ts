import { createPlugin, encode, type GameServer, type Plugin, type PluginOptions } from './plugin.ts'

const retries = 10
const retryAfterMs = 1000

/** Behaves as the vendor's Garry's Mod addon: acknowledges with POST, and repeats a failed acknowledgement ten times. */
export function createGmodAddon(options: PluginOptions): Plugin {
  const underway = new Set<string>()
  return createPlugin(
    {
      name: 'gmod-addon',
      pollEveryMs: 10_000,
      overlaps: true,
      linksFirst: false,
      async link(server) {
        const body = { ip: '203.0.113.10:27015', hostname: 'TTT 24/7', platform: 'gmod', version: '1.1.0' }
        await server.request('POST', '/v1/delivery/gameserver/link', encode(body))
      },
      async poll(server) {
        const steam_ids = server.players().flatMap(({ steamId }) => steamId ?? [])
        const commands = await server.poll('POST', '/v1/delivery/command-queue', encode({ steam_ids }))
        const executed: string[] = []
        for (const command of commands) {
          if (underway.has(command.attempt_id)) continue
          underway.add(command.attempt_id)
          if (await server.execute(command.command, command)) executed.push(command.attempt_id)
          else underway.delete(command.attempt_id)
        }
        if (executed.length === 0) return
        try {
          await acknowledge(server, executed)
        } finally {
          for (const id of executed) underway.delete(id)
        }
      },
    },
    options,
  )
}

async function acknowledge(server: GameServer, ids: readonly string[]): Promise<void> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await server.acknowledge('POST', '/v1/delivery/command-queue/acknowledge', ids)
    } catch (error) {
      if (failed === retries) throw error
      await server.pause(retryAfterMs)
    }
  }
}
