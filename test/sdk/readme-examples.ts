import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** The TypeScript examples of the SDK's README: one program for Node and one for browsers. */
export function readExamples(): { node: Example; browser: Example } {
  const readme = readFileSync(new URL('../../gateway/sdk/README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(/^```ts( browser)?\n(.*?)^```$/gms)]
  const [browser, node] = [true, false].map((wanted) =>
    blocks.filter(([, flag]) => (flag !== undefined) === wanted).map(([, , code = '']) => code),
  )
  if (!browser?.length || !node?.length) throw new Error('The README has no examples')
  return { node: exampleOf(node), browser: exampleOf(browser) }
}

/** Each printed line has its expected output in a comment: `console.log(a) // Robin`, or several for a loop. */
function exampleOf(blocks: readonly string[]): Example {
  const source = blocks.join('\n')
  const prints = source.match(/console\.log\(/g)?.length ?? 0
  const comments = [...source.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, expected = '']) => expected)
  if (comments.length !== prints) throw new Error('An example prints something without saying what')
  return { source, script: stripTypeScriptTypes(source), output: comments.flatMap((expected) => expected.split(', ')) }
}

export interface Example {
  /** TypeScript. */
  source: string
  /** The same without types. */
  script: string
  /** What it prints. */
  output: string[]
}
