import { createPlugin, encode, type OnlinePlayer, type Plugin, type PluginOptions } from './plugin.ts'

/**
 * Behaves as the vendor's FiveM script: polls every 2 s, does not execute an attempt again while its acknowledgement is
 * running, forgets it when that fails, and replaces `{player.source_from:<Steam id>}` by the number of an online player.
 */
export function createFivemScript(options: PluginOptions): Plugin {
  const underway = new Set<string>()
  return createPlugin(
    {
      name: 'fivem-script',
      pollEveryMs: 2000,
      overlaps: true,
      linksFirst: false,
      async link(server) {
        const body = { ip: '203.0.113.8:30120', hostname: 'City RP', platform: 'fivem', version: '1.0.0' }
        await server.request('POST', '/v1/delivery/gameserver/link', encode(body))
      },
      async poll(server) {
        const players = server.players()
        const body = {
          steam_ids: players.flatMap(({ steamId }) => steamId ?? []),
          customer_names: players.flatMap(({ name }) => name ?? []),
        }
        const commands = await server.poll('POST', '/v1/delivery/command-queue', encode(body))
        const executed: string[] = []
        for (const command of commands) {
          const expanded = expand(command.command, players)
          if (expanded === undefined || underway.has(command.attempt_id)) continue
          underway.add(command.attempt_id)
          if (await server.execute(expanded, command)) executed.push(command.attempt_id)
          else underway.delete(command.attempt_id)
        }
        if (executed.length === 0) return
        try {
          await server.acknowledge('DELETE', '/v1/delivery/command-queue', executed)
        } finally {
          for (const id of executed) underway.delete(id)
        }
      },
    },
    options,
  )
}

/** Undefined if a player is not online: the command waits. */
function expand(command: string, players: readonly OnlinePlayer[]): string | undefined {
  let isComplete = true
  const expanded = command.replace(/\{player\.source_from:([^{}]*)\}/g, (_, steamId: string) => {
    const source = players.find((player) => player.steamId === steamId)?.source
    isComplete &&= source !== undefined
    return String(source)
  })
  return isComplete ? expanded : undefined
}
