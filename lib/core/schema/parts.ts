import type { DatasetSchema, SchemaPart } from './types';

/** Parts of a class, lowest first, in the order in which an exporter paints them. */
export function partsOfClass(schema: DatasetSchema, classId: string): SchemaPart[] {
  return schema.parts
    .filter((part) => part.classes.includes(classId))
    .sort((a, b) => a.zOrder - b.zOrder || schema.parts.indexOf(a) - schema.parts.indexOf(b));
}

/** 137.508 degrees, the golden angle: neighbours in a list get hues far apart. */
const GOLDEN_ANGLE = 137.508;

/** A display colour for the n-th part; three lightness steps keep 200 parts apart. */
export function partColour(index: number): string {
  const hue = (index * GOLDEN_ANGLE) % 360;
  const lightness = [0.55, 0.42, 0.68][index % 3] ?? 0.55;
  const chroma = 0.72 * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
