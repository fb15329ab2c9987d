import { createHttpMetrics, type HttpMetrics } from '@storekeep/common/http'
import { createRedisFallbacks } from '@storekeep/common/redis'
import type { Counter } from '@storekeep/common/telemetry'
import { apiKeyCheckOutcomes } from '@storekeep/proto/conventions/api-key'
import { tokenCheckOutcomes } from '@storekeep/proto/conventions/customer-token'
import { gameServerTokenCheckOutcomes } from './auth/game-server-tokens.ts'

/** Every metric of the gateway. */
export function createGatewayMetrics(): GatewayMetrics {
  const http = createHttpMetrics('gateway', [
    'api-key',
    'failed-api-key',
    'failed-token',
    'failed-game-server-token',
    'game-server-poll',
    'game-server-events',
    'unknown-store',
    'catalog-search-address',
    'cart-customer',
    'checkout-address',
    'checkout-customer',
    'sign-in-address',
    'sign-in-name',
    'sign-in-store',
  ])
  const { metrics } = http
  return {
    ...http,
    tokenChecks: metrics.counter('token_checks_total', 'Customer token checks, by outcome.', ['outcome'], {
      outcome: tokenCheckOutcomes,
    }),
    apiKeyChecks: metrics.counter('api_key_checks_total', 'API key checks, by outcome.', ['outcome'], {
      outcome: apiKeyCheckOutcomes,
    }),
    gameServerTokenChecks: metrics.counter(
      'game_server_token_checks_total',
      'Checks of the tokens of game servers, by outcome.',
      ['outcome'],
      { outcome: gameServerTokenCheckOutcomes },
    ),
    redisFallbacks: createRedisFallbacks(metrics, ['token-epochs', 'rate-limit']),
  }
}

export interface GatewayMetrics extends HttpMetrics {
  tokenChecks: Counter
  apiKeyChecks: Counter
  gameServerTokenChecks: Counter
  redisFallbacks: Counter
}
