import { Scalar } from 'yaml';
import type { Mask } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { type PaintLayer, paintMap } from '../codecs/paint';
import { flowList, plain, writeYaml } from '../codecs/yaml';
import { type DatasetImage, instanceMasks, type MaskLabel, type ObjectLabel } from '../dataset';
import { mergeById } from './annotations';
import { objectMask, partLayers, splitLabelMap } from './part-layers';
import { importProvenance, type Notes } from './read-tree';

/**
 * Panoptic-parts uid: the scene class (1-99), optionally followed by an instance (0-999) and a part (0-99). The number
 * of digits determines which fields are present.
 */
interface Uid {
  sid: number;
  /** −1 if absent. */
  iid: number;
  /** −1 if absent. */
  pid: number;
}

const MAX_UID = 9_999_999;

/** A part requires an instance; otherwise its digits would be read as the instance. */
export function encodeUid({ sid, iid, pid }: Uid): number {
  const isFine = sid >= 0 && sid <= 99 && iid >= -1 && iid <= 999 && pid >= -1 && pid <= 99;
  if (!isFine || (pid >= 0 && iid < 0) || (sid === 0 && iid >= 0))
    throw new Error(`class ${sid}, instance ${iid}, part ${pid} have no panoptic-parts number`);
  if (iid < 0) return sid;
  return pid < 0 ? sid * 1000 + iid : (sid * 1000 + iid) * 100 + pid;
}

export function decodeUid(uid: number): Uid {
  if (!Number.isInteger(uid) || uid < 0 || uid > MAX_UID || (uid > 99 && uid < 1000))
    throw new Error(`${uid} is no panoptic-parts number`);
  if (uid <= 99) return { sid: uid, iid: -1, pid: -1 };
  if (uid <= 99_999) return { sid: Math.floor(uid / 1000), iid: uid % 1000, pid: -1 };
  const whole = Math.floor(uid / 100);
  return { sid: Math.floor(whole / 1000), iid: whole % 1000, pid: uid % 100 };
}

/** Returns the scene class without validation, for counting pixels. */
export const sidOf = (uid: number): number =>
  uid <= 99 ? uid : Math.floor(uid <= 99_999 ? uid / 1000 : uid / 100_000);

/** Maps the classes and parts of a dataset to numbers and back. */
export interface UidCodes {
  sid(className: string): number | undefined;
  /** The number of the n-th instance of a part, from 0. Instances without a number of their own share the last one. */
  pid(partId: string, instance?: number, className?: string): number | undefined;
  /** False for stuff, whose regions have no instance. True if undefined. */
  isCounted?(className: string): boolean;
  className(sid: number): string | undefined;
  partId(className: string, pid: number): string | undefined;
}

/** Lists objects from back to front, each followed by its parts. */
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
    const className = object.className as string;
    const isCrowd = object.outline?.flags?.includes('crowd') ?? false;
    if (isCrowd || codes.isCounted?.(className) === false)
      return [{ mask: whole, value: encodeUid({ sid, iid: -1, pid: -1 }) }];
    const iid = iidOf(object);
    const parts = partLayers({ ...image, objects: [object] }, zOrders).flatMap(({ part }) =>
      instanceMasks(part).map((mask, instance) => ({
        mask,
        value: encodeUid({ sid, iid, pid: codes.pid(part.id, instance, className) ?? 0 }),
      })),
    );
    return [{ mask: whole, value: encodeUid({ sid, iid, pid: -1 }) }, ...parts];
  });
}

export const uidMap = (image: DatasetImage, layers: readonly PaintLayer[]): Int32Array =>
  paintMap(layers, image.width, image.height, 32);

/** Reads a uid map: one object per class and instance, outlined by all its pixels. Regions without an instance are skipped. */
export function readUidMap(
  values: ArrayLike<number>,
  width: number,
  height: number,
  codes: UidCodes,
  notes: Notes,
  where: string,
): ObjectLabel[] {
  const objects = new Map<number, { className: string; masks: Map<number, Mask> }>();
  for (const [value, mask] of splitLabelMap(values, width, height)) {
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
      return id === undefined ? [] : [{ ...importProvenance, id, mask }];
    });
    const whole = objectMask({
      className,
      instance: 1,
      outline: null,
      parts: [...masks.values()].map((mask) => ({ ...importProvenance, id: '', mask })),
      absent: [],
    });
    return {
      className,
      instance: index + 1,
      outline: whole && { ...importProvenance, mask: whole },
      // Several numbers can mean the same part, such as numbered wheels.
      parts: mergeById(labels),
      absent: [],
    };
  });
}

/** Counts the instances that share their number with the one before. */
export const sharedNumbers = ({ objects }: DatasetImage, codes: UidCodes): number =>
  objects.reduce(
    (sum, { className, parts }) =>
      sum +
      parts.reduce((count, part) => {
        const numbers = instanceMasks(part).map((_, index) => codes.pid(part.id, index, className ?? ''));
        return count + numbers.length - new Set(numbers).size;
      }, 0),
    0,
  );

export const sharedNumbersLoss = (count: number): string[] =>
  count > 0 ? [`${count} instances of parts have no number of their own and are joined to another one.`] : [];

const MAX_SID = 99;
const MAX_PID = 99;

/** Numbers that a part takes if an object can have several instances of it. */
const COUNTED_RANGE = 10;

/** The numbers of a schema that is not a published one: classes and the parts of each in the order of the schema. */
export function schemaCodes(schema: DatasetSchema): UidCodes & { spec: SpecClass[]; problem: string | null } {
  const first = new Map<string, { pid: number; size: number }>();
  let problem = schema.classes.length > MAX_SID ? `The layout numbers at most ${MAX_SID} classes.` : null;
  const spec = schema.classes.map(({ id, kind }): SpecClass => {
    const parts = schema.parts.filter(({ classes }) => classes.includes(id));
    const counted = parts.filter(({ numbered }) => numbered).length;
    const fits = parts.length + counted * (COUNTED_RANGE - 1) <= MAX_PID;
    if (parts.length > MAX_PID) problem = `The layout numbers at most ${MAX_PID} parts of a class.`;
    let pid = 1;
    for (const part of parts) {
      const size = part.numbered && fits ? COUNTED_RANGE : 1;
      first.set(`${id}\n${part.id}`, { pid, size });
      pid += size;
    }
    return {
      name: id,
      parts: parts.map((part) => part.id),
      hasInstances: kind !== 'stuff',
      colour: channels(parts[0]?.colour ?? '#808080'),
      counted: Object.fromEntries(
        parts.flatMap((part) => {
          const { pid: from, size } = first.get(`${id}\n${part.id}`) ?? { pid: 0, size: 0 };
          return fits && counted > 0 ? [[part.id, Array.from({ length: size }, (_, i) => from + i)]] : [];
        }),
      ),
    };
  });
  const classNames = schema.classes.map(({ id }) => id);
  return {
    spec,
    problem,
    sid: (className) => classNames.indexOf(className) + 1 || undefined,
    className: (sid) => classNames[sid - 1],
    isCounted: (className) => schema.classes.find(({ id }) => id === className)?.kind !== 'stuff',
    pid(partId, instance = 0, className = '') {
      const range = first.get(`${className}\n${partId}`);
      return range && range.pid + Math.min(instance, range.size - 1);
    },
    partId: (className, pid) =>
      schema.parts.find(({ id }) => {
        const range = first.get(`${className}\n${id}`);
        return range && pid >= range.pid && pid < range.pid + range.size;
      })?.id,
  };
}

const channels = (hex: string): [number, number, number] => {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

/** A class as a panoptic-parts specification lists it. */
export interface SpecClass {
  name: string;
  parts: readonly string[];
  hasInstances: boolean;
  colour: readonly [number, number, number];
  /** Numbers that mean the same part, such as several wheels. */
  counted?: Readonly<Record<string, readonly number[]>>;
}

/** Writes the YAML specification for the panoptic-parts tools. The position of a name is its number, from 1. */
export function writeDatasetSpec(name: string, classes: readonly SpecClass[]): Uint8Array {
  const counted = classes.filter((entry) => entry.counted && Object.keys(entry.counted).length > 0);
  const version = new Scalar('2.0');
  version.type = 'QUOTE_SINGLE';
  const withInstances = classes.filter((entry) => entry.hasInstances);
  const spec = new Map<unknown, unknown>([
    [plain('version'), version],
    [plain('name'), name],
    [plain('scene_class2part_classes'), new Map(classes.map((entry) => [entry.name, flowList(entry.parts)]))],
    [plain('scene_classes_with_instances'), flowList(withInstances.map((entry) => entry.name))],
    [plain('scene_class2color'), new Map(classes.map((entry) => [entry.name, flowList(entry.colour)]))],
  ]);
  if (counted.length > 0)
    spec.set(
      plain('countable_pids_groupings'),
      new Map(
        counted.map((entry) => [
          entry.name,
          new Map(Object.entries(entry.counted ?? {}).map(([part, numbers]) => [part, flowList(numbers)])),
        ]),
      ),
    );
  return new TextEncoder().encode(writeYaml(spec));
}
