export { present } from './present.ts'
export { timestampOrAbsent } from './timestamp.ts'
