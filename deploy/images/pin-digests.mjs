import { readFileSync, writeFileSync } from 'node:fs'

// Sets the digest of every image of Storekeep in the values of the chart, for a release:
//   pin-digests.mjs helm/storekeep/values.yaml stores=sha256:… gateway=sha256:… …
// Edits lines, so that the comments remain.

const [file = '', ...pairs] = process.argv.slice(2)
const digests = new Map(pairs.map((pair) => /** @type {[string, string]} */ (pair.split('='))))
const expected = new Set()
/** @type {string[]} */
const path = []

const lines = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => {
    const [, indent, key = ''] = /^( *)([\w-]+):/.exec(line) ?? []
    if (indent === undefined) return line
    path.splice(indent.length / 2, path.length, key)
    const [, component] = /^(?:services\.)?([\w-]+)\.image\.digest$/.exec(path.join('.')) ?? []
    if (component === undefined) return line
    const name = component === 'adminTools' ? 'admin-tools' : component
    expected.add(name)
    return `${indent}digest: ${digests.get(name)}`
  })

for (const name of new Set([...expected, ...digests.keys()])) {
  if (!expected.has(name)) throw new Error(`${file} has no image ${name}.`)
  if (!/^sha256:[0-9a-f]{64}$/.test(digests.get(name) ?? '')) throw new Error(`The digest of ${name} is missing.`)
}
writeFileSync(file, lines.join('\n'))
