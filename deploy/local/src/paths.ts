import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Places of the repository, as absolute paths. */
export const paths = {
  root,
  data: `${root}.data`,
  infra: `${root}.infra`,
  bin: `${root}node_modules/.bin`,
} as const
