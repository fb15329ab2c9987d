import { present } from '@storekeep/common/message'
import { gameServerLimits } from '@storekeep/proto/conventions/limits'
import { text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const texts = {
  name: 'Name of the server, which buyers see when they choose one.',
  enabled: 'Whether the server may fetch commands. The commands of a disabled server wait until it is enabled.',
}

const name = text(1, gameServerLimits.nameLength)

export const newGameServer = z
  .object({ name: name.describe(texts.name), enabled: z.boolean().describe(texts.enabled) })
  .meta({ id: 'CreateGameServerDto', description: 'A new game server.' })

/** Null leaves a field unchanged, as does its absence. */
export const gameServerPatch = z
  .object({ name: name.nullish().describe(texts.name), enabled: z.boolean().nullish().describe(texts.enabled) })
  .meta({ id: 'UpdateGameServerDto', description: 'Changes to a game server. Omitted fields are left unchanged.' })

export const newGameServerExample: z.input<typeof newGameServer> = { name: 'Survival', enabled: true }

/** The fields and the field mask of a PATCH. */
export function gameServerChange({ name, enabled }: z.output<typeof gameServerPatch>) {
  const paths = [...(name != null ? ['name'] : []), ...(enabled != null ? ['enabled'] : [])]
  return { gameServer: present({ name, enabled }), updateMask: { paths } }
}
