import type { CallOptions } from '@storekeep/common/grpc'
import { gameServerTokenCacheMs } from '@storekeep/proto/conventions/game-server-token'
import type { GatewayContext } from '../../context.ts'

/**
 * The options of a call after which a token must no longer be accepted. While Redis is unavailable, the delivery service waits until
 * the cached checks of the token have expired before it responds.
 */
export function revokingCall({ config }: Pick<GatewayContext, 'config'>, call: CallOptions): CallOptions {
  return { ...call, deadlineMs: config.calls.timeoutMs + gameServerTokenCacheMs }
}
