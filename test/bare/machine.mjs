import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A minimal Debian in a temporary folder, with Node and npm of this machine, git, CA certificates and the ordinary user `dev`. It
 * reaches the registries as this machine does. Needs root.
 */
export class BareMachine {
  #root = mkdtempSync(join(tmpdir(), 'storekeep-bare-'))
  /** Certificates and proxies. */
  #environment = Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i.test(name),
  )

  build() {
    // The folder is `/` of all users.
    chmodSync(this.#root, 0o755)
    const mirror = capture('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'])
      .split('\n')
      .find((uri) => /\/debian\/?$/.test(uri))
    if (mirror === undefined) throw new Error('This machine has no package source of Debian.')
    const suite = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates,git,procps', suite, this.#root, mirror])
    const npm = dirname(dirname(process.env.npm_execpath ?? ''))
    this.#copy(process.execPath, '/usr/bin/node')
    this.#copy(npm, '/usr/lib/node_modules/npm')
    for (const name of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, this.path(`/usr/bin/${name}`))
    const settings = [
      '/etc/resolv.conf',
      '/etc/hosts',
      '/etc/npmrc',
      '/etc/apt/sources.list',
      '/etc/apt/sources.list.d',
    ]
    for (const file of [...settings, ...this.#environment.map(([, value]) => value ?? '')]) {
      if (file.startsWith('/') && existsSync(file)) this.#copy(file, file)
    }
    for (const name of readdirSync('/etc/apt/apt.conf.d')) {
      if (/prox|cert|^99/i.test(name)) this.#copy(`/etc/apt/apt.conf.d/${name}`, `/etc/apt/apt.conf.d/${name}`)
    }
    this.run(['useradd', '--create-home', 'dev'])
    for (const home of ['/root', '/home/dev', '/srv/read-only-home']) {
      mkdirSync(this.path(home), { recursive: true })
      if (existsSync('/root/.npmrc')) this.#copy('/root/.npmrc', `${home}/.npmrc`)
    }
    this.run(['chown', '--recursive', 'dev:dev', '/home/dev'])
    this.run(['chmod', '644', '/srv/read-only-home/.npmrc'], { mayFail: true })
    run('mount', ['--bind', '/proc', this.path('/proc')])
    run('mount', ['--bind', '/dev', this.path('/dev')])
    run('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', this.path('/dev/shm')])
  }

  /** @param {string} path @returns {string} the path on this machine */
  path(path) {
    return join(this.#root, path)
  }

  /**
   * Clones the last commit of a repository.
   * @param {string} repository
   * @param {string} folder
   * @param {string} owner
   */
  clone(repository, folder, owner) {
    rmSync(this.path(folder), { recursive: true, force: true })
    run('git', ['clone', '--quiet', repository, this.path(folder)])
    this.run(['chown', '--recursive', `${owner}:${owner}`, folder])
  }

  /** @param {string} folder @param {string} size of the file system */
  mountSmallDisk(folder, size) {
    mkdirSync(this.path(folder), { recursive: true })
    run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'tmpfs', this.path(folder)])
  }

  /** @param {string[]} command @param {{ mayFail?: boolean }} options */
  run(command, { mayFail = false } = {}) {
    const { status } = spawnSync('chroot', [this.#root, ...command], { stdio: mayFail ? 'ignore' : 'inherit' })
    if (status !== 0 && !mayFail) throw new Error(`${command.join(' ')} failed.`)
  }

  /**
   * Starts a command of the shell. Its output goes to the log file.
   * @param {string} command
   * @param {{ user: string, folder: string, environment?: Record<string, string>, network?: boolean, log: string }} options
   */
  start(command, { user, folder, environment = {}, network = true, log }) {
    const variables = { LANG: 'C.UTF-8', ...Object.fromEntries(this.#environment), ...environment }
    const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
    const script = [`cd '${folder}'`, ...exports, `exec ${command}`].join(' && ')
    const inRoot = ['chroot', this.#root, 'su', user, '-s', '/bin/bash', '-c', script]
    const [program = '', ...args] = network ? inRoot : ['unshare', '--net', ...inRoot]
    // Omits the settings of the npm that started this job.
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
    let output = ''
    /** @type {(() => void)[]} */
    let listeners = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        writeFileSync(log, text, { flag: 'a' })
        for (const listener of listeners) listener()
      })
    }
    /** @type {Promise<number | null>} */
    const ended = new Promise((resolve) => child.once('close', resolve))
    return {
      ended,
      output: () => output,
      /** @param {string} text @returns {Promise<boolean>} false if the command ends first */
      printed: (text) =>
        new Promise((resolve) => {
          const check = () => output.includes(text) && resolve(true)
          listeners = [...listeners, check]
          check()
          void ended.then(() => resolve(output.includes(text)))
        }),
      /** @param {NodeJS.Signals} signal to the command and everything that it started in its group */
      signal: (signal) => {
        try {
          process.kill(-(child.pid ?? 0), signal)
        } catch {
          // It has ended.
        }
      },
    }
  }

  remove() {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
    for (const mount of mounts.filter((path) => path.startsWith(`${this.#root}/`)).reverse())
      run('umount', ['--lazy', mount])
    run('rm', ['--recursive', '--force', '--one-file-system', this.#root])
  }

  /** @param {string} from @param {string} to */
  #copy(from, to) {
    mkdirSync(dirname(this.path(to)), { recursive: true })
    const contents = statSync(from).isDirectory() ? `${from}/.` : from
    if (contents !== from) mkdirSync(this.path(to), { recursive: true })
    run('cp', ['--recursive', '--dereference', '--remove-destination', contents, this.path(to)])
  }
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
}

/** @param {string} command @param {string[]} args */
function capture(command, args) {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout ?? ''
}
