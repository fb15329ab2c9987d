// Runs inside a container and prints the guaranteed properties of an image as JSON.
import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const status = readFileSync('/proc/self/status', 'utf8')
// The listing follows links to folders; count each file at its real path only.
const files = readdirSync('/app', { recursive: true, withFileTypes: true }).filter(
  (file) => file.isFile() && realpathSync(file.parentPath) === file.parentPath,
)
const path = (file: Dirent) => join(file.parentPath, file.name)
const isPackage = (file: Dirent) => path(file).includes('/node_modules/')

process.stdout.write(
  JSON.stringify({
    uid: process.getuid?.(),
    capabilities: /^CapEff:\s*(\S+)/m.exec(status)?.[1],
    noNewPrivileges: /^NoNewPrivs:\s*(\S+)/m.exec(status)?.[1],
    writable: ['/app', '/etc', '/var/tmp', '/tmp'].filter(isWritable),
    programs: ['npm', 'npx', 'pnpm', 'corepack', 'yarn', 'tsc', 'buf'].filter(isOnPath),
    tests: files.map(path).filter((file) => !file.includes('/node_modules/') && /\.test\.|\/test(ing)?\//.test(file)),
    workspacePackages: files
      .filter((file) => file.name === 'package.json' && !isPackage(file))
      .map((file) => file.parentPath.slice('/app/'.length))
      .sort(),
    packages: files.flatMap(packageName).sort(),
    packageBytes: sizeOf(files.filter(isPackage)),
    sourceBytes: sizeOf(files.filter((file) => !isPackage(file))),
  }),
)

/** `name@version` of an installed package, for its package.json only. */
function packageName(file: Dirent): string[] {
  const installed = /^\/app\/node_modules\/\.pnpm\/[^/]+\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/
  if (!installed.test(path(file))) return []
  const { name, version } = JSON.parse(readFileSync(path(file), 'utf8'))
  return [`${name}@${version}`]
}

function isWritable(folder: string): boolean {
  try {
    writeFileSync(join(folder, 'probe'), '')
    return true
  } catch {
    return false
  }
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function sizeOf(some: Dirent[]): number {
  return some.reduce((sum, file) => sum + lstatSync(path(file)).size, 0)
}
