/**
 * The seconds of a Retry-After header: a number, with a fraction as Discord sends it, or an HTTP date.
 * @returns undefined without a valid header
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text)
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, (time - now.getTime()) / 1000)
}

/** RFC 9110, 5.6.7: the only format that senders may generate. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
