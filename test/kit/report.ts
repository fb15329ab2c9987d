/** Prints the figures of a test in one line: "revocation: seed 4711, probes 20000". */
export function report(name: string, facts: Record<string, string | number>): void {
  const list = Object.entries(facts).map(([what, value]) => `${what} ${value}`)
  process.stdout.write(`${name}: ${list.join(', ')}\n`)
}
