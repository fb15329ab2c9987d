import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'

/**
 * Generates proto/gen, unless proto/ has not changed since the last run.
 * @param {import('./progress.mjs').Progress} progress
 * @param {string} node
 * @param {{ always?: boolean }} options
 */
export async function generateCode(progress, node, { always = false } = {}) {
  const proto = join(root, 'proto')
  const stampFile = join(proto, 'gen/.stamp')
  const wanted = sourcesHash(proto)
  if (!always && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  await progress.step('code from proto/', async () => {
    const bin = join(proto, 'codec/plugin/node_modules/.bin')
    const env = { ...process.env, PATH: `${bin}:${dirname(node)}:${process.env.PATH}` }
    await runTool([join(bin, 'buf'), 'generate'], 'Cannot generate the code from proto/.', { cwd: proto, env })
    writeFileSync(stampFile, wanted)
  })
}

/** @param {string} proto */
function sourcesHash(proto) {
  const hash = createHash('sha256')
  const protos = readdirSync(join(proto, 'storekeep'), { recursive: true }).map((name) => `storekeep/${name}`)
  // Its package.json has the versions of the generators.
  const plugin = readdirSync(join(proto, 'codec/plugin')).map((name) => `codec/plugin/${name}`)
  const sources = [...protos, ...plugin].filter((source) => /\.(proto|ts|json)$/.test(source))
  for (const name of ['buf.yaml', 'buf.gen.yaml', ...sources.sort()]) {
    hash.update(name).update(readFileSync(join(proto, name)))
  }
  return hash.digest('hex')
}
