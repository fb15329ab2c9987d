import type { CallOptions } from '@storekeep/common/grpc'
import { tokenRevocationMs } from '@storekeep/proto/conventions/game-server-token'
import type { GatewayContext } from '../../context.ts'

/**
 * The options of a call after which a token must no longer be accepted. The delivery service waits before it responds, until none of its
 * replicas remembers the token as valid.
 */
export function revokingCall({ config }: Pick<GatewayContext, 'config'>, call: CallOptions): CallOptions {
  return { ...call, deadlineMs: config.calls.timeoutMs + tokenRevocationMs }
}
