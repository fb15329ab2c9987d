import { randomBytes } from 'node:crypto'
import { deriveCallKeys } from '@storekeep/common/crypto'
import { callerNames, serverNames } from '@storekeep/proto/conventions/call-rights'
import { callSecretFromProcess } from './config.ts'

// Prints the CALL_KEYS of every process, as lines of a file for `kubectl create secret --from-env-file`.
const secret = callSecretFromProcess() ?? randomBytes(32).toString('base64url')
const names = new Set([...callerNames, ...serverNames])
const lines = [...names].map((name) => `${name}.CALL_KEYS=${deriveCallKeys(secret, name)}\n`)
process.stdout.write(`CALL_SECRET=${secret}\n${lines.join('')}`)
