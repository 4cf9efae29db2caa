import { findRingFault } from '@/lib/core/geometry';
import type { Warning } from './warning';

export const bowTies: Warning = {
  id: 'bow-ties',
  title: 'Outline crosses itself',
  says: 'The outline crosses itself, so that a piece between the crossing lines may be missing.',
  odds: 2,
  holds: ({ shapes }) =>
    shapes.some(
      (shape) =>
        shape.kind === 'polygon' &&
        [shape.outer, ...shape.holes].some((ring) => findRingFault(ring)?.kind === 'self-crossing'),
    ),
};
