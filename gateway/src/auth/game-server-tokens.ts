import { hash } from 'node:crypto'
import type { Clock } from '@storekeep/common/clock'
import { decodeSecretOfCell } from '@storekeep/common/crypto'
import { errors, isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { BoundedMap } from '@storekeep/common/http'
import type { Redis } from '@storekeep/common/redis'
import type { Counter } from '@storekeep/common/telemetry'
import { gameServerEpochKey, gameServerTokenPrefix } from '@storekeep/proto/conventions/game-server-token'
import { httpFaults } from '../errors/http-faults.ts'
import type { Clients } from '../services.ts'

/**
 * Verifies the tokens of game servers with the delivery service and caches the results for a few seconds.
 *
 * A cached check is used only after Redis has confirmed that its epoch is current, so a token is rejected as soon as the call that
 * reset it has returned. Without Redis the service verifies every use. Checks are not shared by concurrent requests: a check that
 * began before a reset may still accept the old token. Rejections are cached for longer: tokens are random, so an unknown one stays
 * unknown, and plugins with a wrong token retry for as long as they run.
 */
export function createGameServerTokens(dependencies: TokenDependencies): GameServerTokens {
  const { gameServers, cells, redis, cacheMs, checks, fallbacks, clock } = dependencies
  const accepted = new BoundedMap<string, Accepted>(50_000)
  const rejectedUntil = new BoundedMap<string, number>(10_000)

  /** Whether Redis confirms that nothing has changed since the check. */
  async function isCurrent({ server, epoch }: Accepted): Promise<boolean> {
    try {
      const [minimum = null] = await redis.getAll([gameServerEpochKey(server.storeId, server.id)])
      return minimum === null || (/^\d{1,16}$/.test(minimum) && epoch >= Number(minimum))
    } catch {
      fallbacks.inc({ use: 'game-server-token' })
      return false
    }
  }

  async function verify(token: string, digest: string, options: CallOptions): Promise<GameServerIdentity> {
    const startedAt = clock.monotonicMs()
    try {
      const { gameServerId, storeId, enabled, epoch } = await gameServers.verifyGameServerToken({ token }, options)
      const server = { id: gameServerId, storeId, isEnabled: enabled }
      accepted.set(digest, { server, epoch: Number(epoch), until: startedAt + cacheMs })
      checks.inc({ outcome: 'accepted' })
      return server
    } catch (error) {
      if (!isFault(error, 'unauthorized')) {
        checks.inc({ outcome: 'unavailable' })
        throw error
      }
      accepted.delete(digest)
      rejectedUntil.set(digest, startedAt + rejectionMs)
      checks.inc({ outcome: 'rejected' })
      throw errors.unauthorized()
    }
  }

  return {
    async check(token, options, beforeCall) {
      const digest = hash('sha256', token, 'base64url')
      const known = accepted.get(digest)
      if (known && known.until > clock.monotonicMs() && (await isCurrent(known))) {
        checks.inc({ outcome: 'cache_hit' })
        return assertEnabled(known.server)
      }
      if ((rejectedUntil.get(digest) ?? 0) > clock.monotonicMs()) {
        checks.inc({ outcome: 'cache_hit' })
        throw errors.unauthorized()
      }
      const decoded = decodeSecretOfCell(gameServerTokenPrefix, token)
      if (decoded === undefined || !cells.has(decoded.cell)) {
        checks.inc({ outcome: decoded ? 'unknown' : 'malformed' })
        throw errors.unauthorized()
      }
      beforeCall()
      return assertEnabled(await verify(token, digest, { ...options, cell: decoded.cell }))
    },
  }
}

export interface GameServerTokens {
  /**
   * @param beforeCall runs before the delivery service is called; throws to prevent the call
   * @throws ServiceFault `unauthorized`; `forbidden` for a disabled server; `service-unavailable` when the token cannot be verified now
   */
  check(token: string, options: CallOptions, beforeCall: () => void): Promise<GameServerIdentity>
}

export interface GameServerIdentity {
  id: string
  storeId: string
  isEnabled: boolean
}

/** Outcomes of `game_server_token_checks_total`. */
export const gameServerTokenCheckOutcomes = [
  'accepted',
  'cache_hit',
  'malformed',
  'unknown',
  'rejected',
  'unavailable',
] as const

interface TokenDependencies {
  gameServers: Pick<Clients['gameServers'], 'verifyGameServerToken'>
  /** The cells whose tokens can be valid. */
  cells: { has(cell: number): boolean }
  redis: Pick<Redis, 'getAll'>
  cacheMs: number
  checks: Counter
  /** Counts the reads that failed, as the use `game-server-token`. */
  fallbacks: Counter
  clock: Clock
}

interface Accepted {
  server: GameServerIdentity
  epoch: number
  /** Monotonic time. */
  until: number
}

const rejectionMs = 60_000

function assertEnabled(server: GameServerIdentity): GameServerIdentity {
  if (!server.isEnabled) throw httpFaults.gameServerDisabled()
  return server
}
