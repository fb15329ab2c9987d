/** Prints what a fault test did, in one line: "revocation: 20000 probes, seed 4711". */
export function report(name: string, facts: Record<string, string | number>): void {
  const list = Object.entries(facts).map(([what, value]) => `${value} ${what}`)
  process.stdout.write(`${name}: ${list.join(', ')}\n`)
}
