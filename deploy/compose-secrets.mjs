// Writes a new password or key to deploy/.env for every `${NAME:?}` of compose.yaml that has none. Needs only Node 20.
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const file = new URL('.env', import.meta.url)
const compose = readFileSync(new URL('compose.yaml', import.meta.url), 'utf8')
const known = existsSync(file) ? readFileSync(file, 'utf8') : ''

const required = new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name))
const missing = [...required].filter((name) => !new RegExp(`^${name}=`, 'm').test(known))
appendFileSync(file, missing.map((name) => `${name}=${newSecret(name)}\n`).join(''), { mode: 0o600 })
console.log(`deploy/.env has ${required.size} secrets, ${missing.length} of them new.`)

/**
 * 256 random bits: keys in base64url, passwords in hex, because a leading `-` would be parsed as an option.
 * @param {string} name
 */
function newSecret(name) {
  if (name.endsWith('_PASSWORD')) return randomBytes(32).toString('hex')
  const key = randomBytes(32).toString('base64url')
  return name === 'TOKEN_KEYS' ? `1:${key}` : key
}
