/** A problem that the user can fix: one line, and the last lines of a log or of a tool's output. */
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
