/** What a person has to know and can act on: one line, plus the last lines of a log or tool where there are some. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {readonly string[]} logLines
   */
  constructor(message, logLines = []) {
    super(message)
    this.name = 'SetupError'
    this.logLines = logLines
  }
}
