import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const data = resolve(process.env.DATA_DIR || `${root}.data`)

/** Places of the repository, as absolute paths. `root` ends with a slash. */
export const paths = {
  root,
  /** What belongs to this installation and to no repository. */
  data,
  logs: `${data}/logs`,
  secrets: `${data}/secrets.json`,
  demo: `${data}/demo.json`,
  /** Held by the running system; says where it is. */
  running: `${data}/running.json`,
  /** Kept by Node, which does without where it cannot write: the next start of a process takes half the time. */
  compileCache: `${data}/compile-cache`,
  /** Of `npm test`; nothing in it outlives the run. */
  test: `${data}/test`,
  /** Programs downloaded for this machine. */
  infra: `${root}.infra`,
} as const
