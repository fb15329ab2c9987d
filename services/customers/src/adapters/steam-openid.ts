import type { Clock } from '@storekeep/common/clock'
import { readText } from '@storekeep/common/http'
import { isSteamId } from '@storekeep/proto/conventions/account-ids'
import type { SteamSignInConfig } from '../config.ts'

/**
 * Signs players in through Steam with OpenID 2.0. Steam signs each assertion with a key that only it knows, so it is asked whether
 * the signature is genuine (OpenID 2.0, 11.4.2).
 */
export function createSteamOpenId(config: SteamSignInConfig, clock: Pick<Clock, 'now'>): SteamOpenId {
  const { endpoint, timeoutMs } = config
  const storeBaseUrl = config.storeBaseUrl.replace(/\/+$/, '')
  /** "https://steamcommunity.com/openid/id/" */
  const idBase = new URL('id/', endpoint).href

  return {
    isReturnAddress: (address) => address.startsWith(`${storeBaseUrl}/`),
    redirectUrl(returnTo) {
      const url = new URL(endpoint)
      // Steam finds out who the player is.
      const anyone = `${namespace}/identifier_select`
      const parameters = { mode: 'checkid_setup', identity: anyone, claimed_id: anyone, realm: storeBaseUrl }
      for (const [name, value] of Object.entries({ ns: namespace, ...parameters, return_to: returnTo })) {
        url.searchParams.set(`openid.${name}`, value)
      }
      return url.href
    },
    async verify(parameters, returnTo) {
      const assertion = readAssertion(parameters, { endpoint, idBase, returnTo, nowMs: clock.now().getTime() })
      if (!assertion) return undefined
      return (await isGenuine(parameters, endpoint, timeoutMs)) ? assertion : undefined
    },
  }
}

export interface SteamOpenId {
  isReturnAddress(address: string): boolean
  /** The address at Steam to which the browser is redirected. */
  redirectUrl(returnTo: string): string
  /**
   * @param parameters what Steam has added to the query of `returnTo`
   * @returns undefined unless Steam has signed them for this address, within the last minutes
   * @throws Error when Steam does not respond
   */
  verify(parameters: Readonly<Record<string, string>>, returnTo: string): Promise<Assertion | undefined>
}

export interface Assertion {
  /** SteamID64. */
  steamId: string
  /** Unique among the assertions of Steam. */
  nonce: string
}

/** How long an assertion can be used, and how far the clocks may differ, in milliseconds. */
export const assertionLifetimeMs = 5 * 60_000

const namespace = 'http://specs.openid.net/auth/2.0'

/** The fields that the signature must cover (OpenID 2.0, 10.1). */
const signedFields = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle']

function readAssertion(
  parameters: Readonly<Record<string, string>>,
  { endpoint, idBase, returnTo, nowMs }: { endpoint: string; idBase: string; returnTo: string; nowMs: number },
): Assertion | undefined {
  const field = (name: string) => parameters[`openid.${name}`] ?? ''
  const claimedId = field('claimed_id')
  const steamId = claimedId.slice(idBase.length)
  const nonce = field('response_nonce')
  const signed = field('signed').split(',')
  const isForUs =
    field('ns') === namespace &&
    field('mode') === 'id_res' &&
    field('op_endpoint') === endpoint &&
    field('return_to') === returnTo
  const isAboutPlayer = claimedId.startsWith(idBase) && field('identity') === claimedId && isSteamId(steamId)
  const isSigned = signedFields.every((name) => signed.includes(name))
  const isRecent = Math.abs(nowMs - issuedAtMs(nonce)) <= assertionLifetimeMs
  return isForUs && isAboutPlayer && isSigned && isRecent ? { steamId, nonce } : undefined
}

/** A nonce starts with its time: "2026-11-25T00:00:00Z" (OpenID 2.0, 10.1). @returns NaN if malformed, which is never recent */
function issuedAtMs(nonce: string): number {
  const [, time = ''] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)[\x21-\x7e]{0,235}$/.exec(nonce) ?? []
  return Date.parse(time)
}

async function isGenuine(
  parameters: Readonly<Record<string, string>>,
  endpoint: string,
  timeoutMs: number,
): Promise<boolean> {
  const response = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({ ...parameters, 'openid.mode': 'check_authentication' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  try {
    if (response.status !== 200) throw new Error(`Steam returned status ${response.status}`)
    const lines = (await readText(response, maxResponseBytes)).split('\n').map((line) => line.trim())
    return lines.includes(`ns:${namespace}`) && lines.includes('is_valid:true')
  } finally {
    // Releases the connection without reading the rest.
    await response.body?.cancel().catch(() => {})
  }
}

const maxResponseBytes = 4096
