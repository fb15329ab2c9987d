/**
 * Every command: what it prints first, the script that runs on Node 24, and the flags that it knows. A command without
 * `flags` hands all its arguments on.
 * @type {Record<string, Command>}
 */
export const commands = {
  start: {
    title: 'Storekeep',
    script: 'start.ts',
    flags: ['--reset'],
    help: [
      'npm start                 runs everything on this machine; data is kept in .data/',
      'npm start -- --reset      deletes that data first',
      '',
      'Settings (environment): PORT (8080), HOST (127.0.0.1), DATABASE_URL, REDIS_URL, NATS_URL, LOG_LEVEL, DATA_DIR (.data),',
      'and those that the READMEs of the gateway and the services name.',
    ],
  },
  dev: {
    title: 'Storekeep, restarting on change',
    script: 'dev.ts',
    flags: ['--reset'],
    help: ['npm run dev               like npm start, and restarts what a changed source file belongs to'],
  },
  test: { title: 'Storekeep tests', script: 'test.ts' },
  bench: { title: 'Storekeep measurements', script: 'bench.ts' },
  check: {
    title: 'Storekeep checks',
    script: 'check.ts',
    flags: [],
    help: ['npm run check             runs all checks, no tests'],
  },
  codegen: {
    title: 'Storekeep code generation',
    script: 'codegen.ts',
    flags: [],
    help: ['npm run codegen           generates proto/gen from proto/, and what deploy/topology.ts describes'],
  },
  'new-migration': { title: 'Storekeep', script: 'new-migration.ts', quiet: true },
  images: {
    title: 'Storekeep images',
    script: 'images.ts',
    help: [
      'npm run images -- build                        an image of each service and of the gateway',
      'npm run images -- build customers              of these members only',
      'npm run images -- build --base <image>         on another Node 24 than the one that the Dockerfile names',
      'npm run images -- build --stand-in-base        on a base made here, where no registry of images can be reached',
      'npm run images -- try                          runs the whole system from the images, and takes the sign-in walk',
    ],
  },
  admin: { title: 'Storekeep', script: 'admin.ts', quiet: true },
  seed: {
    title: 'Storekeep',
    script: 'seed.ts',
    quiet: true,
    help: [
      'npm run seed              makes the demo stores in a system that runs elsewhere, such as a cluster behind port forwards',
      '  -- --gateway URL        where its gateway is (http://127.0.0.1:8080)',
      '     --stores HOST:PORT   where its service of stores is (127.0.0.1:50051)',
    ],
  },
}

/**
 * One line about the first argument that the command does not know.
 * @param {Command} command
 * @param {string[]} args
 */
export function argumentsProblem({ flags }, args) {
  const unknown = flags && args.find((argument) => !flags.includes(argument))
  if (flags === undefined || unknown === undefined) return undefined
  const known = [...flags, '--help'].join(', ')
  return `Unknown argument "${unknown}". Known: ${known}.`
}

/** @param {Command} command */
export function helpText({ help = [] }) {
  return help.join('\n')
}

/** @typedef {{ title: string, script?: string, flags?: string[], help?: string[], quiet?: boolean }} Command */
