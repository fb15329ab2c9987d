import { createPlugin, encode, type Plugin, type PluginOptions, type QueuedCommandBody } from './plugin.ts'

/**
 * Behaves as the vendor's Java library, which plugins of Bukkit, Velocity, Fabric and others use: posts to a path with a
 * trailing slash, sends Latin-1 bytes, polls even while a poll is running, and remembers 25 attempts, each after its
 * acknowledgement has succeeded. It fails the whole poll on a UUID that is not in the usual notation.
 */
export function createJavaLibrary(options: PluginOptions & { hostname?: string }): Plugin {
  const remembered: string[] = []
  return createPlugin(
    {
      name: 'java-library',
      pollEveryMs: 10_000,
      overlaps: true,
      linksFirst: false,
      async link(server) {
        const hostname = options.hostname ?? '§6Survival'
        const body = { ip: '203.0.113.7:25565', hostname, platform: 'bukkit', version: '1.2.3' }
        const linked = await server.request('POST', '/v1/delivery/gameserver/link/', encode(body, 'latin1'))
        readLinked(linked as Linked)
      },
      async poll(server) {
        const players = server.players()
        const body = {
          customer_names: players.flatMap(({ name }) => name ?? []),
          minecraft_uuids: players.flatMap(({ minecraftUuid }) => minecraftUuid ?? []),
        }
        const commands = await server.poll('POST', '/v1/delivery/command-queue/', encode(body, 'latin1'))
        for (const command of commands) readCommand(command)
        const executed: string[] = []
        for (const command of commands) {
          if (remembered.includes(command.attempt_id)) continue
          if (await server.execute(command.command, command)) executed.push(command.attempt_id)
        }
        if (executed.length === 0) return
        await server.acknowledge('DELETE', '/v1/delivery/command-queue/', executed)
        remembered.push(...executed)
        remembered.splice(0, remembered.length - 25)
      },
    },
    options,
  )
}

/** Reads a member as an object whenever it is there, so null is an error. */
function readLinked(linked: Linked): void {
  if ('previously_linked' in linked && typeof linked.previously_linked?.host_name !== 'string') {
    throw new TypeError('previously_linked is not an object with a host_name')
  }
}

function readCommand(command: QueuedCommandBody): void {
  const uuid = command.minecraft_uuid
  if ('minecraft_uuid' in command && !/^[0-9a-f]{1,8}(-[0-9a-f]{1,4}){3}-[0-9a-f]{1,12}$/i.test(uuid ?? '')) {
    throw new TypeError(`Invalid UUID string: ${uuid}`)
  }
}

interface Linked {
  previously_linked?: { host_name?: unknown } | null
}
