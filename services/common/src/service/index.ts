export { createPeriodicTask, type PeriodicTask } from './periodic-task.ts'
export type { Runtime } from './runtime.ts'
export {
  defineService,
  type MigratingService,
  type RunningService,
  type Service,
} from './service.ts'
