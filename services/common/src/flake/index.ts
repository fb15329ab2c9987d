export {
  cellOf,
  firstFlakeIdOf,
  flakeIdFromBytes,
  flakeIdToBytes,
  isFlakeId,
  maxCell,
  nodeNumberOf,
  requireFlakeId,
} from './flake-id.ts'
