import { defineConfig } from 'vitest/config'

/** Every member is a project, with a vitest.config.ts of its own where the defaults do not fit. */
export default defineConfig({
  test: {
    projects: ['services/*', 'gateway', 'deploy/local', 'test/*/vitest.config.ts', 'helm/test'],
  },
})
