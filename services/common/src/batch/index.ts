export { batchByTurn } from './batch-by-turn.ts'
