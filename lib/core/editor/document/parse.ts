import type { z } from 'zod';
import { labelFlags } from '@/lib/core/schema';
import type { AnnotationDocument, DrawnShape, LabelLayer } from './document';
import { DOCUMENT_VERSION, DocumentJson, type LayerJson } from './json';
import { MAX_HOLES, MAX_SHAPES, MAX_VERTICES } from './limits';
import { packShape } from './shape';
import { documentProblems } from './validate';

/** The image and schema that a document is opened with. */
export type DocumentFrame = {
  readonly height: number;
  readonly width: number;
  readonly labels: readonly string[];
};

export type ParsedDocument =
  | {
      readonly ok: true;
      readonly document: AnnotationDocument;
      /** Labels with shapes that the schema does not have now; their shapes are kept aside. */
      readonly setAside: readonly { readonly label: string; readonly shapes: number }[];
      /** Labels that were kept aside and are back in the schema. */
      readonly broughtBack: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Upgrades from version i + 1 to version i + 2 of the stored form. */
const upgrades: readonly ((json: Record<string, unknown>) => Record<string, unknown>)[] = [withWholeOrigins];

/** Reads a stored document. It never throws: whoever holds the text keeps it until this says ok. */
export function parseDocument(stored: unknown, frame: DocumentFrame): ParsedDocument {
  const json = typeof stored === 'string' ? readText(stored) : stored;
  const upgraded = upgrade(json);
  if (typeof upgraded === 'string') return { ok: false, problems: [upgraded] };
  const parsed = DocumentJson.safeParse(upgraded);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map(inWords) };
  const { height, width } = parsed.data;
  if (height !== frame.height || width !== frame.width)
    return {
      ok: false,
      problems: [
        `The drawing is for an image of ${width}×${height}, this one has ${frame.width}×${frame.height}.`,
      ],
    };
  return fitToSchema(parsed.data, frame);
}

/** For the person whose drawing it is. */
function inWords({ code, path }: z.core.$ZodIssue): string {
  const most = (limit: number) => limit.toLocaleString('en');
  if (code === 'too_big' && path.at(-1) === 'shapes')
    return `A label has more than ${most(MAX_SHAPES)} shapes.`;
  if (code === 'too_big' && path.at(-1) === 'holes') return `A shape has more than ${most(MAX_HOLES)} holes.`;
  if (code === 'too_big' && path.includes('shape'))
    return `A shape has more than ${most(MAX_VERTICES)} vertices.`;
  return `A part of it cannot be read (${path.join('.')}).`;
}

function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function upgrade(json: unknown): Record<string, unknown> | string {
  if (typeof json !== 'object' || json === null) return 'This is not a drawing.';
  let record = json as Record<string, unknown>;
  const { version } = record;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return 'The drawing does not say its version.';
  if (version > DOCUMENT_VERSION)
    return `The drawing was made by a newer release (version ${version}); reload the page to open it.`;
  for (const step of upgrades.slice(version - 1)) record = step(record);
  return record;
}

function fitToSchema(json: DocumentJson, frame: DocumentFrame): ParsedDocument {
  const stored = [...json.layers, ...json.aside];
  const numbering = { next: 1 };
  const layers = frame.labels.map((label) => readLayers(label, stored, numbering));
  const strangers = [...new Set(stored.map((layer) => layer.label))].filter(
    (label) => !frame.labels.includes(label),
  );
  const aside = strangers
    .map((label) => readLayers(label, stored, numbering))
    .filter((layer) => layer.shapes.length > 0 || layer.nothing);
  const document = { height: json.height, width: json.width, layers, aside, nextId: numbering.next };
  const problems = documentProblems(document);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    document,
    setAside: aside.map(({ label, shapes }) => ({ label, shapes: shapes.length })),
    broughtBack: json.aside.map((layer) => layer.label).filter((label) => frame.labels.includes(label)),
  };
}

function readLayers(label: string, stored: readonly LayerJson[], numbering: { next: number }): LabelLayer {
  const same = stored.filter((layer) => layer.label === label);
  const shapes = same.flatMap((layer) =>
    layer.shapes.map(
      ({ shape, origin }): DrawnShape => ({
        id: numbering.next++,
        shape: packShape(shape),
        ...(origin && { origin }),
      }),
    ),
  );
  const flags = labelFlags.filter((flag) => same.some((layer) => layer.flags?.includes(flag)));
  return {
    label,
    nothing: shapes.length === 0 && same.some((layer) => layer.nothing),
    shapes,
    ...(flags.length > 0 && { flags }),
  };
}

type Json = Record<string, unknown>;

/**
 * From version 1 to 2: an origin told the name of its assist, which could only be region growing, and how long it
 * was looked at. What it did not tell is taken as the least that it can have been.
 */
function withWholeOrigins(json: Json): Json {
  return {
    ...json,
    version: 2,
    layers: each(json.layers, upgradeLayer),
    aside: each(json.aside, upgradeLayer),
  };
}

function upgradeLayer(layer: unknown): unknown {
  if (!isRecord(layer)) return layer;
  return { ...layer, shapes: each(layer.shapes, upgradeShape) };
}

function upgradeShape(drawn: unknown): unknown {
  if (!isRecord(drawn) || !isRecord(drawn.origin)) return drawn;
  const latencyMs = Math.round(Number(drawn.origin.latencyMs));
  return {
    ...drawn,
    origin: { kind: 'region', model: null, clicks: 1, shownMs: 0, latencyMs, edited: false },
  };
}

/** What is no list stays as it is, to be refused by the schema of the newest version. */
const each = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : value;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;
