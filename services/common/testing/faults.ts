import type { Violation } from '../src/errors/index.ts'

/** The error that a call rejects with. Throws when the call succeeds. */
export async function faultOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: unknown) => error,
  )
}

/** The violations of the error that a call rejects with, each as "path validation". */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  return describeViolations(await faultOf(call))
}

/** Like `violationsOf`, for a function that throws them; empty if it does not. */
export function violationsIn(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (error) {
    return describeViolations(error)
  }
}

/** Every violation says what is wrong, in words that continue the name of the field. */
function describeViolations(error: unknown): string[] {
  const { violations = [] } = error as { violations?: readonly Violation[] }
  return violations.map(({ path, validation, message }) => {
    if (!/^[a-z]+ \S/.test(message)) throw new Error(`the message of the violation of ${path} is "${message}"`)
    return `${path} ${validation}`
  })
}
