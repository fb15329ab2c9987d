export { bindExports } from './bind-exports.ts'
export { sumColumns } from './checksum-sql.ts'
export { type Exported, exported } from './exported.ts'
