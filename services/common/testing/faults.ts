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
  const fault = await faultOf(call)
  const { violations = [] } = fault as { violations?: { path: string; validation: string }[] }
  return violations.map(({ path, validation }) => `${path} ${validation}`)
}
