import { useGateway } from './harness.ts'

/** A gateway behind trusted proxies, with limits that a few requests reach. @param settings instead of these */
export function useLimitedGateway(settings: Record<string, string> = {}) {
  return useGateway({
    TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8',
    MAX_CONNECTIONS_PER_ADDRESS: '20',
    // Generous for a busy machine: a script that takes longer would not count, or count twice.
    REDIS_TIMEOUT_MS: '2000',
    RATE_LIMIT_API_KEY_PER_MINUTE: '5',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3',
    RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE: '1',
    RATE_LIMIT_GAME_SERVER_EVENTS_PER_MINUTE: '1',
    RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '4',
    RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE: '3',
    RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '6',
    ...settings,
  })
}

let next = 0

/** An address that no other test uses, for `x-forwarded-for`. */
export const newAddress = () => `203.0.${Math.floor(++next / 250)}.${(next % 250) + 1}`
