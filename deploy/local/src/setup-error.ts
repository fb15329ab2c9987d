/** What a person has to know and can act on: one line, plus the last lines of a log where there is one. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
  readonly logLines: readonly string[]

  constructor(message: string, logLines: readonly string[] = []) {
    super(message)
    this.logLines = logLines
  }
}
