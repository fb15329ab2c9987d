export { actorFromText, actorText } from './actor.ts'
export { maskedMembers, pick } from './mask.ts'
export { present } from './present.ts'
export { timestampOrAbsent } from './timestamp.ts'
