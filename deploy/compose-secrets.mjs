// Makes deploy/.env: a new password or key for every `${NAME:?}` of compose.yaml that has none yet. It needs Node 20 alone.
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

const file = new URL('.env', import.meta.url)
const compose = readFileSync(new URL('compose.yaml', import.meta.url), 'utf8')
const known = existsSync(file) ? readFileSync(file, 'utf8') : ''

const wanted = new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name))
const missing = [...wanted].filter((name) => !new RegExp(`^${name}=`, 'm').test(known))
appendFileSync(file, missing.map((name) => `${name}=${newSecret(name)}\n`).join(''), { mode: 0o600 })
console.log(`deploy/.env has ${wanted.size} secrets, ${missing.length} of them new.`)

/**
 * 256 random bits: keys in base64url, a list of them begins with number 1; passwords in letters that no program takes for a flag.
 * @param {string} name
 */
function newSecret(name) {
  if (name.endsWith('_PASSWORD')) return randomBytes(32).toString('hex')
  const key = randomBytes(32).toString('base64url')
  return name === 'TOKEN_KEYS' ? `1:${key}` : key
}
