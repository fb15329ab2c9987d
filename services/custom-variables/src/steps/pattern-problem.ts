import type { Call } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
import { isCompilable, type VariableInput } from '../domain/variable-fields.ts'

/** The input with the reason why its pattern does not compile, if it does not. */
export async function withPatternProblem(
  { patterns }: AppContext,
  { signal }: Call,
  storeId: string,
  input: VariableInput,
): Promise<VariableInput> {
  if (!isCompilable(input.valueRegex)) return input
  return { ...input, patternProblem: await patterns.check({ storeId, signal }, input.valueRegex) }
}
