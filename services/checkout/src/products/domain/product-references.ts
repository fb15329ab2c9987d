import { type Violation, violation } from '@storekeep/common/errors'
import { parseTemplate, variableIdentifiers } from '@storekeep/proto/conventions/placeholders'
import type { ProductTerms } from './product.ts'
import type { CommandInput } from './product-commands.ts'

/** The terms of a product that name other records, as requested or as stored. */
export interface References extends Pick<ProductTerms, 'customVariableIds' | 'gameServerIds' | 'requiredProductIds'> {
  commands: readonly Pick<CommandInput, 'content' | 'overrideGameServerIds'>[]
}

/** A game server that the terms of a product name. */
export interface GameServerReference {
  field: 'gameServerIds' | 'commands'
  /** Its path in the request. */
  path: string
  id: string
}

/** @param at path of the terms in the request: "lines.0.inline_product", "" for a product */
export function gameServerReferences(
  { gameServerIds, commands }: Pick<References, 'gameServerIds' | 'commands'>,
  at = '',
): GameServerReference[] {
  const prefix = at === '' ? '' : `${at}.`
  return [
    ...gameServerIds.map((id, index) => ({
      field: 'gameServerIds' as const,
      path: `${prefix}gameservers.${index}`,
      id,
    })),
    ...commands.flatMap(({ overrideGameServerIds }, index) =>
      overrideGameServerIds.map((id, position) => ({
        field: 'commands' as const,
        path: `${prefix}commands.${index}.override_execute_on_gameserver_ids.${position}`,
        id,
      })),
    ),
  ]
}

/** A game server of the store. */
export interface StoreGameServer {
  id: string
  enabled: boolean
}

/** The violations of game servers that the store does not have. @param named with their paths in the request */
export function unknownGameServers(
  named: readonly Pick<GameServerReference, 'path' | 'id'>[],
  servers: readonly StoreGameServer[],
): Violation[] {
  const known = new Set(servers.map(({ id }) => id))
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ path }) => violation(path, 'reference', 'is not a game server of this store'))
}

/** The identifiers of the custom variables that the commands use. */
export function variablesInCommands({ commands }: Pick<References, 'commands'>): ReadonlySet<string> {
  return new Set(commands.flatMap(({ content }) => variableIdentifiers(parseTemplate(content))))
}

/**
 * Which commands use a custom variable that the product does not have.
 * @param identifiers of the variables of the product
 * @param at path of the terms in the request: "lines.0.inline_product", "" for a product
 */
export function unknownVariables(
  { commands }: Pick<References, 'commands'>,
  identifiers: ReadonlySet<string>,
  at = '',
): Violation[] {
  const prefix = at === '' ? '' : `${at}.`
  return commands.flatMap(({ content }, index) =>
    variableIdentifiers(parseTemplate(content))
      .filter((identifier) => !identifiers.has(identifier))
      .map((identifier) =>
        violation(
          `${prefix}commands.${index}.content`,
          'reference',
          `uses {variables.${identifier}}, which is not a custom variable of the product`,
        ),
      ),
  )
}
