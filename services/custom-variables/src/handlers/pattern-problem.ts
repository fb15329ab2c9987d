import type { AppContext } from '../context.ts'
import { isCompilable, type VariableInput } from '../domain/variable-fields.ts'

/** The input with the reason why its pattern does not compile, if it does not. */
export async function withPatternProblem(
  { patterns }: AppContext,
  storeId: string,
  input: VariableInput,
): Promise<VariableInput> {
  if (!isCompilable(input.valueRegex)) return input
  return { ...input, patternProblem: await patterns.check(storeId, input.valueRegex) }
}
