import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scaled } from './test/kit/scaled.ts'

/** What all tests share. They wait for conditions, so generous limits cost a passing run nothing. */
const shared = {
  // Node runs sources and tests as it runs the product: nothing is transformed, and all workers share a compile cache.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A worker loads each module once, not once per file.
  isolate: false,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 180_000 } },
}

/** Small files that take long. The others start in the order of their size. */
const slowFiles = [
  'test/guarantees/under-faults',
  'deploy/local/test/start',
  'services/search/test/verify-records',
  'services/common/test/ordered-consumer',
  'test/observability/promtool',
]

/** Starts the slow files first, so that the run does not end with one of them alone. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slowFiles.some((file) => moduleId.endsWith(`/${file}.test.ts`))
    const bySize = await super.sort(files)
    const first = bySize.findIndex(({ project }) => project.name === 'packages')
    const [before, rest] = [bySize.slice(0, Math.max(first, 0)), bySize.slice(Math.max(first, 0))]
    return [...before, ...rest.filter(isSlow), ...rest.filter((file) => !isSlow(file))]
  }
}

/**
 * Each project has its own worker processes. One project serves every folder that needs no setup, so that few workers
 * are started.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'packages',
          include: [
            'proto/{codec,conventions}/**/*.test.ts',
            '{services/*,gateway,proto/records,gateway/sdk,deploy/local}/{src,test,bootstrap,codegen}/**/*.test.ts',
            '{helm/test,test/kit,test/observability,test/guarantees}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, 'gateway/test/languages/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'acceptance',
          include: ['test/{acceptance,browser,sdk}/**/*.test.ts'],
          globalSetup: './test/kit/global-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'clients',
          // Maven and pip download what a client needs.
          testTimeout: 900_000,
          include: ['gateway/test/languages/**/*.test.ts'],
        },
      },
      {
        plugins: [{ name: 'two-at-a-time', configureVitest: ({ project }) => limitWorkers(project.config, 2) }],
        test: {
          ...shared,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          // After all other tests.
          sequence: { groupOrder: 1 },
          // A smaller scale does not start a system faster.
          testTimeout: Math.max(600_000, scaled(180_000)),
        },
      },
    ],
  },
})

/**
 * Each fault test starts and breaks its own system. More than two at a time need too much memory for a small machine.
 * A `maxWorkers` setting would lose against the command line, whose number is meant for the other tests.
 */
function limitWorkers(config: { maxWorkers: number }, most: number): void {
  config.maxWorkers = Math.min(most, config.maxWorkers)
}
