import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Answers a question to ask now and then: is npm, which started this process, gone? npm starts a script through a
 * shell, which stays behind when npm is killed, so the shell's own parent is watched too. Without npm: never.
 */
export function starterWatch() {
  if (process.env.npm_lifecycle_event === undefined) return () => false
  const parent = process.ppid
  const grandparent = isShell(parent) ? parentOf(parent) : undefined
  return () => process.ppid !== parent || (grandparent !== undefined && parentOf(parent) !== grandparent)
}

/** @param {number} pid */
function isShell(pid) {
  const command = process.platform === 'linux' ? fromProc(pid, 'cmdline').replaceAll('\0', ' ') : ps(pid, 'command=')
  return /^\S*sh -c /.test(command)
}

/** @param {number} pid */
function parentOf(pid) {
  if (process.platform !== 'linux') return Number(ps(pid, 'ppid='))
  const stat = fromProc(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/**
 * @param {number} pid
 * @param {string} file
 */
function fromProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * @param {number} pid
 * @param {string} column
 */
function ps(pid, column) {
  return spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}
