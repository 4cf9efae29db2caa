import type { Background } from './background';
import { natureBackgrounds } from './nature';
import { townBackgrounds } from './town';
import { waterBackgrounds } from './water';

export type { Backdrop, Background, Surface } from './background';

export const backgrounds: readonly Background[] = [
  ...natureBackgrounds,
  ...waterBackgrounds,
  ...townBackgrounds,
];
