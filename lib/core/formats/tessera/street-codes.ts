import { cityscapesParts } from '@/lib/core/schema/presets';
import type { UidCodes } from './uid-map';

const sids = new Map(cityscapesParts.classes.map(({ id, codes }) => [id, codes?.sid as number]));
const pids = new Map(cityscapesParts.parts.map(({ id, codes }) => [id, codes?.pid as number]));

/** Cityscapes Panoptic Parts: person and rider, car, truck and bus; torso is 1 and head is 2. */
export const streetCodes: UidCodes = {
  sid: (className) => sids.get(className),
  pid: (partId) => pids.get(partId),
  className: (sid) => cityscapesParts.classes.find(({ codes }) => codes?.sid === sid)?.id,
  partId: (className, pid) =>
    cityscapesParts.parts.find(({ classes, codes }) => classes.includes(className) && codes?.pid === pid)?.id,
};

/** The two classes of the part-model code. */
export const groupOf = (className: string): string =>
  cityscapesParts.classes.find(({ id }) => id === className)?.superclass ?? '';
