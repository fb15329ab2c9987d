import { defineProject } from 'vitest/config'

/** The settings of a service's tests. */
export function serviceProject(name: string) {
  return defineProject({
    test: {
      name,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      // Its files share nothing but modules, whose loading takes much of their time.
      isolate: false,
      // Room for a loaded machine; what a test waits for is polled.
      testTimeout: 30_000,
      hookTimeout: 30_000,
      expect: { poll: { timeout: 10_000 } },
    },
  })
}
