import { errors } from '@storekeep/common/errors'
import { fieldsOf, maskedFields, pick, textViolations } from '@storekeep/common/values'
import { gameServerLimits } from '@storekeep/proto/conventions/limits'

/** What the staff of a store set about a game server. */
export interface GameServerState {
  /** 1 to 128 characters. */
  name: string
  /** The plugin of a disabled server is rejected; its commands wait. */
  enabled: boolean
}

/** What a plugin reports about its server. The texts come from the server and may be empty. */
export interface GameServerLink {
  ip: string
  hostname: string
  platform: string
  version: string
}

/** The fields that can change, with their names in the API. */
const gameServerFields = { name: 'name', enabled: 'enabled' } as const satisfies Record<keyof GameServerState, string>

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkGameServer(input: GameServerState): GameServerState {
  const violations = textViolations('name', input.name, 1, gameServerLimits.nameLength)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return input
}

/**
 * The fields of the input that the mask names.
 * @throws ServiceFault `bad-request` for an unknown field
 */
export function readChange(input: GameServerState, mask: readonly string[]): Partial<GameServerState> {
  return pick(input, maskedFields(gameServerFields, mask))
}

/**
 * The server after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function applyChange(before: GameServerState, change: Partial<GameServerState>): GameServerState | undefined {
  const after = checkGameServer({ ...pick(before, fieldsOf(gameServerFields)), ...change })
  return after.name === before.name && after.enabled === before.enabled ? undefined : after
}

/** A link as it is stored: without control characters, which Postgres and consoles do not accept, and cut. */
export function cleanLink({ ip, hostname, platform, version }: GameServerLink): GameServerLink {
  return { ip: clean(ip), hostname: clean(hostname), platform: clean(platform), version: clean(version) }
}

function clean(text: string): string {
  const visible = text.replaceAll(/\p{Cc}/gu, '')
  return Array.from(visible).slice(0, gameServerLimits.linkTextLength).join('')
}

/** Whether the links are of different hosts, so that the token may be in use twice. */
export function isOtherHost(one: GameServerLink, other: GameServerLink): boolean {
  return one.ip !== other.ip || one.hostname !== other.hostname
}

/** Whether a link tells something new. */
export function isOtherLink(one: GameServerLink, other: GameServerLink): boolean {
  return isOtherHost(one, other) || one.platform !== other.platform || one.version !== other.version
}
