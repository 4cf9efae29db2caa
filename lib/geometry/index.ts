export {
  type Box,
  centroid,
  clockwise,
  counterClockwise,
  type Path,
  type Point,
  pointInRing,
  type Ring,
  reversed,
  ringArea,
  ringBounds,
  signedArea,
} from './ring';
export { simplifyRing } from './simplify';
export { nearestEdge, nearestVertex, type Snap, type TraceSide, traceBorder } from './snap';
export { type RingFault, ringFault, segmentMeeting } from './validity';
