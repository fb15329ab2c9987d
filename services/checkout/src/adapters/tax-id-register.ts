import type { Clock } from '@storekeep/common/clock'
import { BoundedMap, fetchJson } from '@storekeep/common/http'
import type { Logger } from '@storekeep/common/log'

/**
 * A register of VAT ids with the REST interface of VIES, the register of the European Commission. Its definite responses are cached for
 * a few minutes.
 * @param url its base, such as `https://ec.europa.eu/taxation_customs/vies/rest-api`
 */
export function createTaxIdRegister(
  url: string | undefined,
  { clock, log }: { clock: Pick<Clock, 'monotonicMs'>; log: Logger },
): TaxIdRegister | undefined {
  if (url === undefined) return undefined
  const known = new BoundedMap<string, { isRegistered: boolean; until: number }>(10_000)
  return {
    async contains(taxId) {
      const now = clock.monotonicMs()
      const entry = known.get(taxId)
      if (entry && entry.until > now) return entry.isRegistered
      try {
        const address = `${url.replace(/\/+$/, '')}/ms/${taxId.slice(0, 2)}/vat/${encodeURIComponent(taxId.slice(2))}`
        const isRegistered = readResponse(await fetchJson(new URL(address), { timeoutMs }))
        if (isRegistered !== undefined) known.set(taxId, { isRegistered, until: now + keptMs })
        return isRegistered
      } catch (error) {
        log.warn({ err: error }, 'VAT id check failed')
        return undefined
      }
    },
  }
}

export interface TaxIdRegister {
  /**
   * @param taxId in its official form, with the prefix of its country
   * @returns undefined if the register does not know at the moment
   */
  contains(taxId: string): Promise<boolean | undefined>
}

/** The registers of the countries behind VIES can be unavailable, which it also reports as not valid. */
function readResponse(response: unknown): boolean | undefined {
  const { isValid, userError } = (response ?? {}) as { isValid?: unknown; userError?: unknown }
  if (isValid === true) return true
  return isValid === false && (userError === undefined || userError === 'INVALID') ? false : undefined
}

/** Shorter than the deadline of a call. */
const timeoutMs = 1500
const keptMs = 10 * 60_000
