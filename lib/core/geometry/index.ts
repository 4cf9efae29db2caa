/** Points, rings and polygons in image pixels. */

export {
  type Box,
  centroid,
  clockwise,
  counterClockwise,
  cutLoops,
  type Path,
  type Point,
  pointInRing,
  type Ring,
  reversed,
  ringArea,
  ringBounds,
  ringCrossing,
  signedArea,
} from './ring';
export { nearestEdge, nearestVertex, type Snap, simplifyRing, type TraceSide, traceBorder } from './simplify';
export { findRingFault, pathCrossing, type RingFault, segmentMeeting, segmentsCross } from './validity';
