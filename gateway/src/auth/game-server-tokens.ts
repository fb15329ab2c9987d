import { hash } from 'node:crypto'
import type { Clock } from '@storekeep/common/clock'
import { decodeSecretOfCell } from '@storekeep/common/crypto'
import { errors, isFault } from '@storekeep/common/errors'
import type { CallOptions } from '@storekeep/common/grpc'
import { BoundedMap } from '@storekeep/common/http'
import type { Counter } from '@storekeep/common/telemetry'
import { gameServerTokenPrefix } from '@storekeep/proto/conventions/game-server-token'
import { httpFaults } from '../errors/http-faults.ts'
import type { Clients } from '../services.ts'

/**
 * Verifies the tokens of game servers with the delivery service and remembers the results.
 *
 * A remembered check identifies the server, but proves nothing: the delivery service compares its epoch in each call of the server
 * (`callAsServer`), so a token is rejected as soon as the call that reset it has returned. Checks are not shared by concurrent requests.
 * Rejections are remembered for a minute: tokens are random, so an unknown one stays unknown, and plugins with a wrong token retry for as
 * long as they run.
 */
export function createGameServerTokens({ gameServers, cells, checks, clock }: TokenDependencies): GameServerTokens {
  const accepted = new BoundedMap<string, GameServerIdentity>(50_000)
  const rejectedUntil = new BoundedMap<string, number>(10_000)

  async function verify(token: string, digest: string, options: CallOptions): Promise<GameServerIdentity> {
    const startedAt = clock.monotonicMs()
    try {
      const response = await gameServers.verifyGameServerToken({ token }, options)
      checks.inc({ outcome: 'accepted' })
      if (!response.enabled) throw httpFaults.gameServerDisabled()
      const server = { id: response.gameServerId, storeId: response.storeId, tokenEpoch: response.epoch }
      accepted.set(digest, server)
      return server
    } catch (error) {
      if (isFault(error, 'forbidden')) throw error
      if (!isFault(error, 'unauthorized')) {
        checks.inc({ outcome: 'unavailable' })
        throw error
      }
      rejectedUntil.set(digest, startedAt + rejectionMs)
      checks.inc({ outcome: 'rejected' })
      throw errors.unauthorized()
    }
  }

  return {
    async check(token, options, { outdated, beforeCall }) {
      const digest = hash('sha256', token, 'base64url')
      const known = accepted.get(digest)
      if (known && known !== outdated) {
        checks.inc({ outcome: 'cache_hit' })
        return known
      }
      accepted.delete(digest)
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
      return await verify(token, digest, { ...options, cell: decoded.cell })
    },
  }
}

export interface GameServerTokens {
  /**
   * @param options.outdated a result of an earlier check that the delivery service has rejected
   * @param options.beforeCall runs before the delivery service is called; throws to prevent the call
   * @throws ServiceFault `unauthorized`; `forbidden` for a disabled server; `service-unavailable` when the token cannot be verified now
   */
  check(
    token: string,
    options: CallOptions,
    { outdated, beforeCall }: { outdated: GameServerIdentity | undefined; beforeCall: () => void },
  ): Promise<GameServerIdentity>
}

/** The server of a token that was valid at its last check. */
export interface GameServerIdentity {
  id: string
  storeId: string
  /** Proves in a call of the server that its token is still valid. */
  tokenEpoch: bigint
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
  checks: Counter
  clock: Clock
}

const rejectionMs = 60_000
