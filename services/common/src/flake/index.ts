export { flakeIdFromBytes, flakeIdPattern, flakeIdToBytes, isFlakeId, requireFlakeId } from './flake-id.ts'
