import { createPlugin, encode, type Plugin, type PluginOptions } from './plugin.ts'

/**
 * Behaves as the vendor's Rust plugin: polls only once its link has succeeded, fetches all due commands, and skips commands
 * for players who are not online.
 */
export function createRustPlugin(options: PluginOptions): Plugin {
  return createPlugin(
    {
      name: 'rust-plugin',
      pollEveryMs: 10_000,
      overlaps: false,
      linksFirst: true,
      async link(server) {
        const body = { ip: '203.0.113.9:28015', hostname: 'EU Main 3x', platform: 'rust', version: '0.9.0' }
        await server.request('POST', '/v1/delivery/gameserver/link', encode(body))
      },
      async poll(server) {
        const commands = await server.poll('GET', '/v1/delivery/command-queue')
        const online = new Set(server.players().map(({ steamId }) => steamId))
        const executed: string[] = []
        for (const command of commands) {
          if (command.online_only && !(command.steam_id !== undefined && online.has(command.steam_id))) continue
          if (await server.execute(command.command, command)) executed.push(command.attempt_id)
        }
        if (executed.length > 0) await server.acknowledge('DELETE', '/v1/delivery/command-queue', executed)
      },
    },
    options,
  )
}
