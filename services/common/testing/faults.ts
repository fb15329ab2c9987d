/** The fault that a call fails with. */
export async function faultOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call was answered')
    },
    (error: unknown) => error,
  )
}

/** "path validation" of every violation of the fault that a call fails with. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call)
  const { violations = [] } = fault as { violations?: { path: string; validation: string }[] }
  return violations.map(({ path, validation }) => `${path} ${validation}`)
}
