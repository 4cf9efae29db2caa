import { attributeWithoutMask } from './attribute-without-mask';
import { bowTies } from './bow-ties';
import { fourCorners } from './four-corners';
import { partOutsideObject } from './part-outside-object';
import { specks } from './specks';
import { tiny } from './tiny';
import { touchesBorder } from './touches-border';
import type { Suspect, Warning } from './warning';

export type { Suspect, Warning } from './warning';

/** Every warning there is; a new one is a file and a line here. */
export const warnings: readonly Warning[] = [
  partOutsideObject,
  attributeWithoutMask,
  fourCorners,
  bowTies,
  tiny,
  specks,
  touchesBorder,
];

export const warningOf = (id: string): Warning | undefined => warnings.find((warning) => warning.id === id);

export const warningsAbout = (suspect: Suspect): string[] =>
  warnings.filter((warning) => warning.holds(suspect)).map((warning) => warning.id);
