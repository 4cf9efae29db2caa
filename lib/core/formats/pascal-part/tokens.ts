import { pascalPart } from '@/lib/core/schema/presets';

const parts = new Map(pascalPart.parts.map((part) => [part.id, part]));

/** As the release spells a part: "lfpa"; of those that it counts the first: "wheel_1". */
export function tokenOf(partId: string): string {
  const token = partId.slice(partId.indexOf(':') + 1);
  return parts.get(partId)?.numbered ? `${token}_1` : token;
}

/** The way back; any number of a part that is counted means the part. */
export function partIdOf(className: string, token: string): string | undefined {
  const id = `${className}:${token.replace(/_\d+$/, '')}`;
  return parts.has(id) ? id : undefined;
}

/** 1 to 20 in the order of VOC; class 11 is spelled "table". */
export const classIndex = (className: string): number =>
  pascalPart.classes.find(({ id }) => id === className)?.codes?.voc ?? 0;
