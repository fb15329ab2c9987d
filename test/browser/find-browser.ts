import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import packaged from '@sparticuz/chromium'
import { findDebianLibraries } from '@storekeep/local/infra'
import manifest from '../package.json' with { type: 'json' }

/** How to start Chromium. */
export interface BrowserProgram {
  executablePath: string
  args: string[]
  /** In addition to the environment of the process. */
  env: Record<string, string>
}

/**
 * Finds the browser of the tests: CHROMIUM_PATH, the npm package's with the libraries that the system lacks, or
 * an installed browser. Runs before the workers start, because it unpacks the package into .infra/ the first time.
 * @throws if there is none
 */
export async function findBrowser(): Promise<BrowserProgram> {
  const named = process.env.CHROMIUM_PATH
  if (named) return installed(named)
  if (process.platform === 'linux' && process.arch === 'x64') return await unpacked()
  const found = findInstalled()
  if (found !== undefined) return installed(found)
  throw new Error(
    'The browser tests need Chromium: install the package chromium, or set CHROMIUM_PATH to the program of a Chrome or Chromium.',
  )
}

function installed(executablePath: string): BrowserProgram {
  return { executablePath, args: ['--no-sandbox'], env: {} }
}

/**
 * The package unpacks into the temporary folder of its process, which here is a new folder in .infra/ that is renamed once it is
 * complete. A single process, the default of the package, would end with the first context that is closed, and its emulation
 * of a GPU costs a quarter more CPU time.
 */
async function unpacked(): Promise<BrowserProgram> {
  const infra = fileURLToPath(new URL('../../.infra/', import.meta.url))
  const folder = join(infra, `chromium-${manifest.devDependencies['@sparticuz/chromium']}`)
  if (!existsSync(folder)) {
    await mkdir(infra, { recursive: true })
    const unfinished = await mkdtemp(join(infra, 'chromium-'))
    try {
      const script = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))
      await promisify(execFile)(process.execPath, [script], { env: { ...process.env, TMPDIR: unfinished } })
      await writeFile(join(unfinished, 'fonts.conf'), fontsConf)
      await rename(unfinished, folder)
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    args: [...packaged.args.filter((arg) => !isUnwanted(arg)), '--disable-gpu'],
    env: {
      LD_LIBRARY_PATH: await findDebianLibraries('chromium-libraries', ['libnss3', 'libexpat1']),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** Uses only the package's fonts, so that pages look the same on every machine. Its own file names /tmp/fonts. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

function isUnwanted(arg: string): boolean {
  return arg === '--single-process' || /gpu|-gl=|angle|swiftshader/.test(arg)
}

function findInstalled(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [...programs, macApp].find((program) => existsSync(program))
}
