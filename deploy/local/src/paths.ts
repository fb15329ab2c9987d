import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const data = resolve(process.env.DATA_DIR || `${root}.data`)

/** Absolute paths. `root`, the folder of the repository, ends with a slash. */
export const paths = {
  root,
  /** The data of this installation. */
  data,
  logs: `${data}/logs`,
  secrets: `${data}/secrets.json`,
  demo: `${data}/demo.json`,
  /** Lock of the running system, with its addresses. */
  running: `${data}/running.json`,
  /** Node's compile cache, which halves the start time of processes. */
  compileCache: `${data}/compile-cache`,
  /** The bundles of the processes. */
  bundles: `${data}/bundles`,
  /** Bundles of tests and benchmarks, separate so that they do not replace the bundles of a running system. */
  testBundles: `${data}/test-bundles`,
  /** A folder for each running `npm test`. */
  test: `${data}/test`,
  /** Downloaded programs. */
  infra: `${root}.infra`,
} as const
