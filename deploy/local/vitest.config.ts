import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'local',
    include: ['src/**/*.test.ts', 'bootstrap/**/*.test.ts', 'test/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
