export {
  cellOf,
  firstFlakeIdOf,
  flakeIdFromBytes,
  flakeIdToBytes,
  isFlakeId,
  maxCell,
  nodeNumberOf,
} from '@storekeep/proto/conventions/flake-id'
export { idViolations, requireFlakeId } from './require-flake-id.ts'
