import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Every member is a project, with a vitest.config.ts of its own where the defaults do not fit. */
export default defineConfig({
  test: {
    // Most tests wait for servers rather than compute, so there are more of them at a time than processors.
    maxWorkers: availableParallelism() + 1,
    projects: ['services/*', 'gateway', 'deploy/local', 'test/*/vitest.config.ts'],
  },
})
