export { cutLoops, ringCrossing } from './loops';
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
export { pathCrossing, type RingFault, ringFault, segmentMeeting, segmentsCross } from './validity';
