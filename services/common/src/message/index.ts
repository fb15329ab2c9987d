export { actorFromText, actorText } from './actor.ts'
export { present } from './present.ts'
export { timestampOrAbsent } from './timestamp.ts'
