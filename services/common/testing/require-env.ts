/** Reads the address of a server that `npm test` started. */
export function requireEnv(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set. Run the tests with npm test, which starts the servers they need.`)
  return value
}
