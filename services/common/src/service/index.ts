export type { Runtime } from './runtime.ts'
export {
  defineService,
  type RunningService,
  type Service,
} from './service.ts'
