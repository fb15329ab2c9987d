import { defineProject } from 'vitest/config'
import { scaled } from '../kit/scaled.ts'

/**
 * Each file starts a system of its own and breaks it, after all other tests. Two at a time: more systems than that
 * would want more memory than a small machine has, and one alone leaves it idle while it waits.
 */
export default defineProject({
  plugins: [
    {
      name: 'two-at-a-time',
      // The number of workers on the command line is for the other tests, and would win over a setting here.
      configureVitest: ({ project }) => {
        project.config.maxWorkers = Math.min(2, project.config.maxWorkers)
      },
    },
  ],
  test: {
    name: 'faults',
    include: ['**/*.test.ts'],
    sequence: { groupOrder: 1 },
    testTimeout: scaled(180_000),
    hookTimeout: 180_000,
  },
})
