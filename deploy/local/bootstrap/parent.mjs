import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns a function that reports whether npm, which started this process, has died. npm starts scripts in a shell that
 * survives it, so this checks the parent of that shell, too. Always false if npm did not start this process.
 */
export function watchParent() {
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
