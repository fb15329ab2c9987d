/** An address that the tests are started with; see `npm test`. */
export function requireEnv(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is missing: these tests need the servers that npm test starts.`)
  return value
}
