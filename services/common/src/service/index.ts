export { createPeriodicTask, type PeriodicTask } from './periodic-task.ts'
export type { Runtime, RuntimeOverrides } from './runtime.ts'
export {
  type ConsumerParts,
  defineService,
  type MigratingService,
  type MigrationTarget,
  type RunningService,
  type Service,
} from './service.ts'
