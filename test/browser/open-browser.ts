import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import packaged from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

let browser: Promise<Browser> | undefined

/** The browser that all test files of a worker share. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= openBrowser()
  return browser
}

/**
 * Starts Chromium: that of CHROMIUM_PATH, an installed one, or the one in the npm package. A single process, the default of the
 * package, would end with the first context that is closed, and its emulation of a GPU costs a quarter more CPU time.
 */
async function openBrowser(): Promise<Browser> {
  const installed = process.env.CHROMIUM_PATH || findInstalled()
  const { executablePath, args } = installed
    ? { executablePath: installed, args: ['--no-sandbox'] }
    : {
        executablePath: await packagedPath(),
        args: [...packaged.args.filter((arg) => !isUnwanted(arg)), '--disable-gpu'],
      }
  try {
    return await chromium.launch({ executablePath, args })
  } catch (cause) {
    throw new Error(howToGetOne, { cause })
  }
}

function isUnwanted(arg: string): boolean {
  return arg === '--single-process' || /gpu|-gl=|angle|swiftshader/.test(arg)
}

const howToGetOne =
  'The browser tests need Chromium: install the package chromium, or set CHROMIUM_PATH to the program of a Chrome or Chromium.'

/** The package has a program only for Linux on x64. */
async function packagedPath(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(howToGetOne)
  return await packaged.executablePath().catch((cause: unknown) => {
    throw new Error(howToGetOne, { cause })
  })
}

function findInstalled(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [...programs, macApp].find((program) => existsSync(program))
}
