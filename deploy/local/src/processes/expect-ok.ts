/** Rejects unless the address returns 2xx within 2 s. */
export async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).pathname} returned ${response.status}`)
}
