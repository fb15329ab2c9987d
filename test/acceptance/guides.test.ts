import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { findTool } from '@storekeep/local/infra'
import { useSharedSystem } from '@storekeep/test/kit'
import { expect, inject, it } from 'vitest'

const { createStore } = await useSharedSystem()
const [gateway = ''] = inject('system').gatewayUrls

it('the shell examples of the guides work in the order of the page, with the responses that it shows', async () => {
  const guides = await (await fetch(`${gateway}/docs/guides.md`)).text()
  const examples = examplesOf(guides)
  expect(examples.filter(({ response }) => response !== undefined).length).toBeGreaterThan(2)
  const outputs = await run(examples.map(({ commands }) => commands))
  for (const [index, { commands, response }] of examples.entries()) {
    const output = outputs[index] ?? ''
    // Two examples deliberately fail, and show how.
    if (response === undefined) expect(output, commands).not.toContain('"trace_id"')
    else expect(withoutVariables(JSON.parse(output)), commands).toEqual(withoutVariables(response))
  }
  expect(outputs.join('\n')).toMatch(/^link: <.+>; rel="next"/im)
  const repeated = outputs[examples.findIndex(({ commands }) => commands.endsWith('create\ncreate\n'))]
  const [first, second] = (repeated ?? '').replace('}{', '}\n{').split('\n')
  expect(first).toContain('"name":"Alex"')
  expect(second).toBe(first)
})

interface Example {
  commands: string
  /** The JSON that the page shows below the commands. */
  response: unknown
}

function examplesOf(text: string): Example[] {
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, content = '']) => ({
    language,
    content,
  }))
  return blocks.flatMap(({ language, content }, index) => {
    const next = blocks[index + 1]
    if (language !== 'sh') return []
    return [{ commands: content, response: next?.language === 'json' ? JSON.parse(next.content) : undefined }]
  })
}

/** Runs the commands in one shell, as a reader would, with a new store. Returns the output of each. */
async function run(commands: readonly string[], attempts = 5): Promise<string[]> {
  const { id, apiKey } = await createStore()
  const separator = '==== end of example ===='
  const script = ['set -euo pipefail', ...commands.flatMap((one) => [one, `echo '${separator}'`])].join('\n')
  const curl = await findTool('curl')
  const PATH = `${dirname(curl.command)}:${process.env.PATH ?? ''}`
  const env = { ...process.env, ...curl.env, PATH, BASE: gateway, STORE: id, KEY: apiKey }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  // A busy machine may return 503.
  if (stdout.includes('"service-unavailable"') && attempts > 1) return await run(commands, attempts - 1)
  return stdout.split(separator).map((output) => output.trim())
}

/** Replaces what differs in each run: ids of records, times and trace ids. */
function withoutVariables(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/"[1-9]\d{16,18}"/g, '"<id>"')
    .replaceAll(/"[\d-]{10}T[\d:.]{12}Z"/g, '"<time>"')
    .replaceAll(/"[0-9a-f]{32}"/g, '"<trace>"')
  return JSON.parse(text)
}
