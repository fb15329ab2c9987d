export { createPeriodicTask, type PeriodicTask } from './periodic-task.ts'
export type { Runtime } from './runtime.ts'
export {
  type ConsumerParts,
  defineService,
  type MigratingService,
  type RunningService,
  type Service,
} from './service.ts'
