import type { Problem } from '../store/problems.ts'
import type { Texts } from '../texts/en.ts'

export function problemText({ kind }: Problem, { problems }: Texts['store']): string {
  return problems[kind]
}
