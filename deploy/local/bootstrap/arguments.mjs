/**
 * The commands: title, script to run on Node 26, and accepted flags. A command without `flags` passes all arguments to
 * its script. `runsOnly`: needs no packages of tests and checks. `listens`: uses PORT, PAGES_PORT, DEMO_PORT and MAILBOX_PORT.
 * @type {Record<string, Command>}
 */
export const commands = {
  start: {
    title: 'Storekeep',
    script: 'start.ts',
    runsOnly: true,
    listens: true,
    flags: ['--reset', '--cells <number>'],
    help: [
      'npm start                 runs everything on this machine, with its data in .data/',
      'npm start -- --reset      deletes the data first',
      'npm start -- --cells 2    runs two cells, each with its own services, Postgres and NATS, behind one gateway',
      '',
      'Environment variables (default): PORT (8080), HOST (127.0.0.1), DATA_DIR (.data), DATABASE_URL, REDIS_URL, NATS_URL, LOG_LEVEL,',
      'and the settings in the READMEs of the gateway and the services.',
    ],
  },
  dev: {
    title: 'Storekeep, restarting on change',
    script: 'dev.ts',
    runsOnly: true,
    listens: true,
    flags: ['--reset', '--cells <number>'],
    help: ['npm run dev               like npm start, and restarts the processes whose source files change'],
  },
  test: {
    title: 'Storekeep tests',
    script: 'test.ts',
    help: [
      'npm test                                       runs the checks and the tests',
      'npm test -- services/customers                 runs the tests whose path contains the text, without the checks',
      'npm test -- services/customers -t "is banned"  passes further options to vitest',
      'npm run test:faults                            runs every fault test at full scale',
      'npm run test:all                               runs both',
      '',
      'Environment variable (default): TEST_SCALE (1), a factor for the amounts of the fault tests.',
    ],
  },
  bench: {
    title: 'Storekeep benchmarks',
    script: 'bench.ts',
    help: ['npm run bench -- <name>   runs test/load/<name>.bench.ts; without a name, lists the names'],
  },
  check: {
    title: 'Storekeep checks',
    script: 'check.ts',
    flags: [],
    help: ['npm run check             runs all checks, no tests'],
  },
  audit: {
    title: 'Storekeep audit of dependencies',
    script: 'audit.ts',
    flags: [],
    help: ['npm run audit             checks licenses, age and known vulnerabilities of the dependencies'],
  },
  codegen: {
    title: 'Storekeep code generation',
    script: 'codegen.ts',
    flags: [],
    help: ['npm run codegen           generates code from proto/, and configuration from deploy/topology.ts'],
  },
  'new-migration': { title: 'Storekeep', script: 'new-migration.ts', quiet: true },
  images: {
    title: 'Storekeep images',
    script: 'images.ts',
    help: [
      'npm run images -- build                        builds all images',
      'npm run images -- build customers              builds the named images',
      'npm run images -- build --base <image>         uses another Node 26 image as the base',
      'npm run images -- build --stand-in-base        builds the base from Debian packages, where there is no image registry',
      'npm run images -- sbom [name …]                writes the SBOM of each image to dist/sbom/',
    ],
  },
  chart: {
    title: 'Storekeep chart',
    script: '../../../helm/build/chart.ts',
    flags: [],
    help: ['npm run chart             packs the Helm chart in dist/'],
  },
  sdk: {
    title: 'Storekeep SDK',
    script: 'sdk.ts',
    flags: [],
    help: ['npm run sdk               builds the package of the TypeScript SDK in dist/'],
  },
  admin: { title: 'Storekeep', script: 'admin.ts', runsOnly: true, quiet: true },
  seed: {
    title: 'Storekeep',
    script: 'seed.ts',
    runsOnly: true,
    quiet: true,
    help: [
      'npm run seed              creates the demo stores in a system that runs elsewhere, such as a cluster behind port forwards',
      '  -- --gateway URL        the gateway (default http://127.0.0.1:8080)',
      '     --stores HOST:PORT   the stores service (default 127.0.0.1:50051)',
    ],
  },
}

/**
 * Returns an error message for the first unknown argument.
 * @param {Command} command
 * @param {string[]} args
 */
export function argumentsProblem({ flags }, args) {
  const names = (flags ?? []).map((flag) => flag.split(' ')[0])
  const isValue = (/** @type {number} */ index) => flags?.includes(`${args[index - 1]} <number>`)
  const unknown = args.find((argument, index) => !names.includes(argument) && !isValue(index))
  if (flags === undefined || unknown === undefined) return undefined
  const known = [...flags, '--help'].join(', ')
  return `Unknown argument "${unknown}". The arguments are ${known}.`
}

/** @param {Command} command */
export function helpText({ help = [] }) {
  return help.join('\n')
}

/** @typedef {{ title: string, script?: string, flags?: string[], help?: string[], quiet?: boolean, runsOnly?: boolean, listens?: boolean }} Command */
