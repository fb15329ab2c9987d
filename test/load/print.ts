/** A line of what a bench has to say. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
