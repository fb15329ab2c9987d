import { fileURLToPath } from 'node:url'
import { bind } from '@storekeep/common/grpc'
import { defineService } from '@storekeep/common/service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { createContext } from './context.ts'
import { exportedVariables } from './exports.ts'
import { createHandlers } from './handlers/index.ts'

export const customVariables = defineService({
  name: 'custom-variables',
  nodeNumber: 5,
  migrations: fileURLToPath(new URL('db/migrations', import.meta.url)),
  createContext,
  prepare: (ctx) => ctx.patterns.start(),
  bind: (ctx) => [bind(CustomVariablesService, createHandlers(ctx))],
  exports: () => [exportedVariables],
  close: (ctx) => ctx.patterns.close(),
})
