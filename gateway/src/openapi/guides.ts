import { introduction } from './introduction.ts'
export async function readGuides(): Promise<string> {
  return introduction.replaceAll(/^## /gm, '# ')
}
