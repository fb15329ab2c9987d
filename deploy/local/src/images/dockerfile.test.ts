import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { paths } from '../paths.ts'
import { nodeOptions } from '../services.ts'
import { imagePackages } from './image-packages.ts'

const dockerfile = instructions(readFileSync(join(paths.root, 'deploy/images/Dockerfile'), 'utf8'))
const ignored = readFileSync(join(paths.root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

describe('the Dockerfile', () => {
  it('names no package, so that a new one needs no change', () => {
    for (const { name } of imagePackages())
      expect(dockerfile.filter((line) => new RegExp(`\\b${name}\\b`).test(line))).toEqual([])
  })

  it('uses one base image, pinned by its digest, which an argument can replace', () => {
    expect(dockerfile[0]).toMatch(/^ARG NODE_IMAGE=node:26\.[\w.-]+@sha256:[0-9a-f]{64}$/)
    const bases = dockerfile.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
    const stages = dockerfile.flatMap((line) => /^FROM \S+ AS (\S+)/.exec(line)?.[1] ?? [])
    const others = bases.filter((image) => !stages.includes(image))
    expect(others).toEqual([...Array(3).fill('$' + '{NODE_IMAGE}'), 'scratch'])
  })

  it('ends with a stage without package managers that runs as an unprivileged user and stops by SIGTERM', () => {
    const [node, runtime] = ['node', 'runtime'].map((stage) =>
      dockerfile.slice(dockerfile.findIndex((line) => line.endsWith(` AS ${stage}`))),
    ) as [string[], string[]]
    const user = runtime.find((line) => line.startsWith('USER'))
    expect(Number(/^USER (\d+):\d+$/.exec(user ?? '')?.[1])).toBeGreaterThanOrEqual(10_000)
    expect(runtime).toContain('STOPSIGNAL SIGTERM')
    expect(node.find((line) => line.startsWith('RUN'))).toMatch(/^RUN rm -rf .*npm.*corepack.*yarn/)
    // Only a copy of that stage: a removed file would stay in the layers below.
    expect(runtime.slice(0, 2)).toEqual(['FROM scratch AS runtime', 'COPY --from=node / /'])
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM runtime'))
    expect(last.filter((line) => /^(COPY|RUN|USER)/.test(line))).toEqual([
      'COPY --from=packages /packages ./',
      'COPY --from=sources /sources ./',
      'COPY --from=bundle /app/.bundle ./.bundle',
      'COPY --from=compiled /tmp/compiled ./.compiled',
    ])
  })

  // A folder is copied with everything below it.
  it('leaves out nested packages that the process does not import', () => {
    const copy = dockerfile.find((line) => line.includes('cp -R "/workspace/$folder/."'))
    const removal = /\(cd \/sources && (.+?)\) &&/.exec(copy ?? '')?.[1] ?? ''
    expect(removal).toContain('/workspace-packages')
    const sources = mkdtempSync(join(tmpdir(), 'storekeep-sources-'))
    try {
      for (const folder of ['proto', 'proto/records', 'proto/codec/plugin', 'gateway', 'gateway/sdk']) {
        mkdirSync(join(sources, folder), { recursive: true })
        writeFileSync(join(sources, folder, 'package.json'), '')
      }
      writeFileSync(join(sources, 'list'), 'proto\nproto/records\ngateway\n')
      execFileSync('sh', ['-c', removal.replace('/workspace-packages', 'list')], { cwd: sources })
      const left = globSync('**/package.json', { cwd: sources })
      expect(left.sort()).toEqual(['gateway/package.json', 'proto/package.json', 'proto/records/package.json'])
    } finally {
      rmSync(sources, { recursive: true, force: true })
    }
  })

  it('limits the heap as npm start does', () => {
    expect(dockerfile).toContain(`ENV NODE_ENV=production NODE_OPTIONS="${nodeOptions}"`)
  })

  it('accepts a compile cache only from a process that loaded completely', () => {
    const loads = dockerfile.filter((line) => /^RUN .*node main\.js/.test(line))
    expect(loads).toEqual([expect.stringContaining("node main.js 2>&1 | grep -E '^(Invalid settings|Usage)' && ")])
  })

  it('installs the versions of the lock files, with the pnpm of the bootstrap and without install scripts', () => {
    expect(dockerfile).toContain('COPY deploy/local/bootstrap/pnpm /opt/pnpm/')
    expect(dockerfile.filter((line) => line.includes('npm ci'))).toEqual([expect.stringContaining('--ignore-scripts')])
    const installs = dockerfile.filter((line) => line.includes('pnpm install'))
    expect(installs).toHaveLength(3)
    for (const line of installs) expect(line).toContain('--frozen-lockfile')
    expect(installs.filter((line) => line.includes('PACKAGE'))).toEqual([
      expect.stringContaining('--prod --frozen-lockfile'),
    ])
  })
})

describe('.dockerignore', () => {
  it.each([
    '.git/config',
    '.data/secrets.json',
    'deploy/.env',
    'node_modules/x/index.js',
    'services/stores/node_modules/x/index.js',
    'services/stores/test/create-store.test.ts',
    'services/stores/src/domain/store.test.ts',
    'services/common/testing/index.ts',
    'test/kit/index.ts',
    'proto/gen/storekeep/stores/v1/store_pb.ts',
    'helm/storekeep/values.yaml',
  ])('excludes %s', (file) => {
    expect(isIgnored(file)).toBe(true)
  })

  it('includes what the processes run', () => {
    for (const { folder } of imagePackages())
      for (const file of ['package.json', 'src/main.ts', 'src/config.ts'])
        expect(isIgnored(`${folder}/${file}`)).toBe(false)
    for (const file of ['pnpm-lock.yaml', '.pnpmfile.mjs', 'proto/buf.gen.yaml', 'services/common/src/config/env.ts'])
      expect(isIgnored(file)).toBe(false)
    for (const file of ['guides/errors.md', 'reference/page.html'])
      expect(isIgnored(`gateway/src/openapi/${file}`)).toBe(false)
  })
})

/** Whether .dockerignore excludes the file: determined by the last line that matches it or one of its folders. */
function isIgnored(file: string): boolean {
  const parts = file.split('/')
  const places = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
  const last = ignored.findLast((pattern) => places.some((place) => matchesGlob(place, pattern.replace('!', ''))))
  return last !== undefined && !last.startsWith('!')
}

/** The instructions, one per line, without comments. */
function instructions(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
}
