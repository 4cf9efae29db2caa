import { createHash } from 'node:crypto';
import type { Db } from '@/db';
import {
  type DatasetImage,
  type DrawnLabel,
  instanceMasks,
  type MaskLabel,
} from '@/lib/core/formats/dataset';
import { encodeCounts, equals, iou } from '@/lib/core/mask';
import { readAll, type Storage } from '@/lib/services/storage';
import { readLine, readLines, type VersionImage } from '../manifest';
import { ResultCache } from '../result-cache';
import { findVersion } from './open-version';

/** Maximum number of listed changes; counts include all. */
const MAX_LISTED = 200;
const MAX_LINE_BYTES = 256 * 1024 * 1024;

export interface LabelChange {
  image: string;
  source: string;
  /** "attributes", "object", or the id of a part or attribute; with "#2" for a second object. */
  target: string;
  kind: 'added' | 'removed' | 'changed';
  /** IoU of the two masks; null unless both exist. */
  iou: number | null;
  /** What was added and removed of attributes and flags, and how the instances changed. */
  words: string;
}

export interface VersionDiff {
  images: { added: number; removed: number; changed: number; same: number };
  labels: { added: number; removed: number; changed: number; same: number };
  /** Changes of class, split or name of images in both versions. */
  facts: { image: string; what: string; from: string; to: string }[];
  /** All of these changes counted by kind; renamed images are counted together. */
  moves: { what: string; from: string; to: string; images: number }[];
  /** Mean IoU of masks in both versions. */
  meanIou: { value: number; n: number } | null;
  addedImages: string[];
  removedImages: string[];
  /** Largest changes first. */
  changes: LabelChange[];
}

const diffs = new ResultCache<VersionDiff>(50);

/** Compares two versions. Reads both once and caches the result. */
export async function diffVersions(
  db: Db,
  storage: Storage,
  input: { projectId: string; from: string; to: string },
): Promise<VersionDiff> {
  const { projectId } = input;
  const older = await findVersion(db, { projectId, version: input.from });
  const newer = await findVersion(db, { projectId, version: input.to });
  return diffs.get(`${older.manifest} ${newer.manifest}`, () => diffManifests(storage, older, newer));
}

/** Compares manifests. Equal lines are only hashed, and only hashes are kept in memory. */
async function diffManifests(
  storage: Storage,
  older: { manifest: string },
  newer: { manifest: string },
): Promise<VersionDiff> {
  const before = await indexOf(storage, older.manifest);
  const diff: VersionDiff = {
    images: { added: 0, removed: 0, changed: 0, same: 0 },
    labels: { added: 0, removed: 0, changed: 0, same: 0 },
    facts: [],
    moves: [],
    meanIou: null,
    addedImages: [],
    removedImages: [],
    changes: [],
  };
  const overlap = { sum: 0, n: 0 };
  for await (const line of imageLines(storage, newer.manifest)) {
    const source = sourceOf(line.text);
    const known = before.get(source);
    before.delete(source);
    if (known?.hash === hashOf(line.text)) {
      diff.images.same += 1;
      diff.labels.same += known.labels;
      continue;
    }
    const now = readLine(line.text);
    if (!known) {
      diff.images.added += 1;
      if (diff.addedImages.length < MAX_LISTED) diff.addedImages.push(now.name);
      diff.labels.added += labelsOf(now).size;
      continue;
    }
    diff.images.changed += 1;
    compare(await lineAt(storage, older.manifest, known), now, diff, overlap);
  }
  for (const gone of before.values()) {
    diff.images.removed += 1;
    diff.labels.removed += gone.labels;
    if (diff.removedImages.length < MAX_LISTED)
      diff.removedImages.push((await lineAt(storage, older.manifest, gone)).name);
  }
  diff.meanIou = overlap.n > 0 ? { value: overlap.sum / overlap.n, n: overlap.n } : null;
  diff.changes = worst(diff.changes).slice(0, MAX_LISTED);
  diff.moves.sort((a, b) => b.images - a.images);
  return diff;
}

interface Place {
  start: number;
  bytes: number;
  hash: string;
  labels: number;
}

async function indexOf(storage: Storage, manifest: string): Promise<Map<string, Place>> {
  const index = new Map<string, Place>();
  for await (const { text, start, bytes } of imageLines(storage, manifest))
    index.set(sourceOf(text), { start, bytes, hash: hashOf(text), labels: labelsOf(readLine(text)).size });
  return index;
}

async function* imageLines(storage: Storage, manifest: string) {
  let isFirst = true;
  for await (const line of readLines(await storage.get(manifest))) {
    if (!isFirst) yield line;
    isFirst = false;
  }
}

/** Reads the hash at the start of a line without parsing the line. */
const sourceOf = (text: string): string => text.slice(11, 75);
const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');

async function lineAt(storage: Storage, manifest: string, { start, bytes }: Place): Promise<VersionImage> {
  const stream = await storage.get(manifest, { start, end: start + bytes - 1 });
  return readLine((await readAll(stream, MAX_LINE_BYTES)).toString('utf8'));
}

type Drawing = DrawnLabel & Pick<MaskLabel, 'instances'>;
type Label = Drawing | { present: readonly string[] };

/** Keyed by kind and name, because a part and an attribute can have the same id. */
function labelsOf(image: DatasetImage): Map<string, Label> {
  const labels = new Map<string, Label>();
  if (image.attributes) labels.set('form:attributes', { present: image.attributes.present });
  for (const label of image.attributeMasks) labels.set(`attribute:${label.id}`, label);
  for (const { instance, outline, parts } of image.objects) {
    const number = instance === 1 ? '' : `#${instance}`;
    if (outline) labels.set(`outline:object${number}`, outline);
    for (const label of parts) labels.set(`part:${label.id}${number}`, label);
  }
  return labels;
}

function compare(
  before: VersionImage,
  now: VersionImage,
  diff: VersionDiff,
  overlap: { sum: number; n: number },
): void {
  const facts = [
    ['name', before.name, now.name],
    ['class', before.className ?? '–', now.className ?? '–'],
    ['split', before.split, now.split],
  ] as const;
  for (const [what, from, to] of facts) {
    if (from === to) continue;
    if (diff.facts.length < MAX_LISTED) diff.facts.push({ image: now.name, what, from, to });
    count(diff.moves, what === 'name' ? { what, from: '–', to: '–' } : { what, from, to });
  }
  const [old, fresh] = [labelsOf(before), labelsOf(now)];
  for (const key of new Set([...old.keys(), ...fresh.keys()])) {
    const target = key.slice(key.indexOf(':') + 1);
    const change = changeOf(old.get(key), fresh.get(key));
    if (change.iou !== null) {
      overlap.sum += change.iou;
      overlap.n += 1;
    }
    diff.labels[change.kind] += 1;
    if (change.kind === 'same') continue;
    diff.changes.push({ image: now.name, source: now.source, target, ...change, kind: change.kind });
    if (diff.changes.length > 8 * MAX_LISTED) diff.changes = worst(diff.changes).slice(0, MAX_LISTED);
  }
}

function count(
  moves: VersionDiff['moves'],
  { what, from, to }: Omit<VersionDiff['moves'][number], 'images'>,
): void {
  const known = moves.find((move) => move.what === what && move.from === from && move.to === to);
  if (known) known.images += 1;
  else moves.push({ what, from, to, images: 1 });
}

function changeOf(a: Label | undefined, b: Label | undefined) {
  const nothing = { iou: null, words: '' };
  if (!a) return { kind: 'added' as const, ...nothing };
  if (!b) return { kind: 'removed' as const, ...nothing };
  if ('mask' in a && 'mask' in b) {
    const isSameMask = equals(a.mask, b.mask);
    const words = [instanceWords(a, b), ...flagWords(a, b)].filter(Boolean).join(' ');
    const isSame = isSameMask && words === '';
    const isComparable = a.mask.height === b.mask.height && a.mask.width === b.mask.width;
    const overlap = isSameMask ? 1 : isComparable ? iou(a.mask, b.mask) : 0;
    return { kind: isSame ? ('same' as const) : ('changed' as const), iou: overlap, words };
  }
  if ('present' in a && 'present' in b) {
    const came = b.present.filter((id) => !a.present.includes(id)).map((id) => `+${id}`);
    const went = a.present.filter((id) => !b.present.includes(id)).map((id) => `−${id}`);
    const words = [...came, ...went].join(' ');
    return { kind: words ? ('changed' as const) : ('same' as const), iou: null, words };
  }
  return { kind: 'changed' as const, ...nothing };
}

/** Compares instances in any order. */
function instanceWords(a: Drawing, b: Drawing): string {
  const [before, now] = [a, b].map((label) => instanceMasks(label).map(encodeCounts).sort());
  if (before?.length !== now?.length) return `${before?.length ?? 0} → ${now?.length ?? 0} instances`;
  if ((now?.length ?? 0) < 2 || before?.join(' ') === now?.join(' ')) return '';
  return 'instances changed';
}

function flagWords(a: Drawing, b: Drawing): string[] {
  const [before, now] = [a.flags ?? [], b.flags ?? []];
  return [
    ...now.filter((flag) => !before.includes(flag)).map((flag) => `+${flag}`),
    ...before.filter((flag) => !now.includes(flag)).map((flag) => `−${flag}`),
  ];
}

/** Lowest IoU first. Added and removed labels count as 0. */
const worst = (changes: readonly LabelChange[]): LabelChange[] =>
  [...changes].sort((a, b) => (a.iou ?? -1) - (b.iou ?? -1) || (a.image < b.image ? -1 : 1));
