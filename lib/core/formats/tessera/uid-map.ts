import type { Mask } from '@/lib/core/mask';
import type { DatasetImage, MaskLabel, ObjectLabel } from '../dataset';
import { mergedById } from '../general/merged-by-id';
import type { Notes } from '../general/notes';
import { type PaintLayer, paintMap } from '../paint';
import { masksOfMap, objectMask, partLayers } from './layers';
import { imported } from './source';
import { decodeUid, encodeUid } from './uid';

/** Numbers of a dataset's classes and parts. */
export interface UidCodes {
  sid(className: string): number | undefined;
  pid(partId: string): number | undefined;
  className(sid: number): string | undefined;
  partId(className: string, pid: number): string | undefined;
}

/** Objects with their parts on top, from the back to the front. */
export function uidLayers(
  image: DatasetImage,
  codes: UidCodes,
  zOrders: ReadonlyMap<string, number>,
  iidOf: (object: ObjectLabel) => number = ({ instance }) => instance,
): PaintLayer[] {
  return [...image.objects].reverse().flatMap((object) => {
    const sid = object.className === null ? undefined : codes.sid(object.className);
    const whole = objectMask(object);
    if (sid === undefined || !whole) return [];
    const iid = iidOf(object);
    const parts = partLayers({ ...image, objects: [object] }, zOrders).map(({ part: { id, mask } }) => ({
      mask,
      value: encodeUid({ sid, iid, pid: codes.pid(id) ?? 0 }),
    }));
    return [{ mask: whole, value: encodeUid({ sid, iid, pid: -1 }) }, ...parts];
  });
}

export const uidMap = (image: DatasetImage, layers: readonly PaintLayer[]): Int32Array =>
  paintMap(layers, image.width, image.height, 32);

/** The way back: an object per class and instance, its outline all its pixels. Regions without instance are no objects. */
export function objectsOfUids(
  values: ArrayLike<number>,
  width: number,
  height: number,
  codes: UidCodes,
  notes: Notes,
  where: string,
): ObjectLabel[] {
  const objects = new Map<number, { className: string; masks: Map<number, Mask> }>();
  for (const [value, mask] of masksOfMap(values, width, height)) {
    const { sid, iid, pid } = decodeUid(value);
    const className = codes.className(sid);
    if (className === undefined || iid < 0) {
      notes.add('regions without instance, or of a class without instances, were left out', where);
      continue;
    }
    const key = sid * 1000 + iid;
    const object = objects.get(key) ?? { className, masks: new Map<number, Mask>() };
    objects.set(key, object);
    object.masks.set(pid, mask);
  }
  return [...objects.values()].map(({ className, masks }, index) => {
    const labels = [...masks].flatMap(([pid, mask]): MaskLabel[] => {
      const id = pid > 0 ? codes.partId(className, pid) : undefined;
      if (pid > 0 && id === undefined)
        notes.add(`part pixels of number ${pid}, which ${className} has not, count as the object`, where);
      return id === undefined ? [] : [{ ...imported, id, mask }];
    });
    const whole = objectMask({
      className,
      instance: 1,
      outline: null,
      parts: [...masks.values()].map((mask) => ({ ...imported, id: '', mask })),
      absent: [],
    });
    return {
      className,
      instance: index + 1,
      outline: whole && { ...imported, mask: whole },
      // Several numbers may mean one part: wheels that a release counts.
      parts: mergedById(labels),
      absent: [],
    };
  });
}
