import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Stops a child when this process exits, even after SIGKILL: a small shell in a separate session reads the ids of the
 * children from a pipe and stops those left when the pipe closes.
 */
export function guardChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  const { pid } = child
  if (pid === undefined) return
  guard ??= startGuard()
  guard.stdin?.write(`add ${pid} ${signal.replace('SIG', '')}\n`)
  child.once('exit', () => guard?.stdin?.write(`drop ${pid}\n`))
}

let guard: ChildProcess | undefined

function startGuard(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  started.on('error', () => undefined)
  started.stdin?.on('error', () => undefined)
  started.unref()
  const pipe = started.stdin as { unref?: () => void } | null
  pipe?.unref?.()
  return started
}

const script = `
trap '' INT TERM HUP
left=''
while read -r verb pid signal; do
  case $verb in
    add) left="$left $pid:$signal" ;;
    drop)
      kept=''
      for one in $left; do [ "\${one%%:*}" = "$pid" ] || kept="$kept $one"; done
      left=$kept ;;
  esac
done
for one in $left; do kill -s CONT "\${one%%:*}"; kill -s "\${one##*:}" "\${one%%:*}"; done
tries=0
while [ -n "$left" ] && [ $tries -lt 25 ]; do
  kept=''
  for one in $left; do kill -s 0 "\${one%%:*}" && kept="$kept $one"; done
  left=$kept
  tries=$((tries + 1))
  [ -z "$left" ] || sleep 0.2
done
for one in $left; do kill -s KILL -- "-\${one%%:*}"; kill -s KILL "\${one%%:*}"; done
`
