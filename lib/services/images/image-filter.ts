import { z } from 'zod';

/** What a filter for images without a class, or without a group, says. */
export const noClass = '-';

const share = z.coerce.number().min(0).max(1);
const pixels = z.coerce.number().int().min(1).max(1_000_000);

const fields = {
  /** A class id, or "-" for images without a class. */
  class: z.string().min(1).max(80),
  state: z.enum(['active', 'excluded', 'broken']),
  /** Part of the name, in any case. */
  text: z.string().trim().min(1).max(120),
  upload: z.uuid(),
  /** Whether any question about the image has its outcome. */
  labels: z.enum(['none', 'some']),
  /** A part or attribute with a mask. */
  target: z.string().min(1).max(80),
  /** An attribute that the image has. */
  attribute: z.string().min(1).max(80),
  /** Who answered a question about the image. */
  worker: z.uuid(),
  /** Of a label with its answers, and how likely a label is wrong: 0 to 1. */
  agreementFrom: share,
  agreementTo: share,
  riskFrom: share,
  riskTo: share,
  /** Pixels of the shorter side. */
  sideFrom: pixels,
  sideTo: pixels,
  /** "any", or the first image of a group. */
  lookalikes: z.union([z.literal('any'), z.uuid()]),
  /** The group key, or "-" for images without a group. */
  group: z.string().min(1).max(200),
  /** Images that somebody picked. */
  slice: z.uuid(),
};

type Fields = typeof fields;
const names = Object.keys(fields) as (keyof Fields)[];

/** Refuses what it does not understand: for the API, for jobs, for what is saved. */
export const ImageFilter = z.strictObject(fields).partial();
export type ImageFilter = z.output<typeof ImageFilter>;

type Query = Record<string, string | string[] | undefined>;

/** What an address asks for; what it asks for in vain is left out. */
export function readImageFilter(query: Query): ImageFilter {
  const filter: Record<string, unknown> = {};
  for (const name of names) {
    // An empty field of a form is a condition that nobody set.
    if (query[name] === undefined || query[name] === '') continue;
    const parsed = fields[name].safeParse(query[name]);
    if (parsed.success) filter[name] = parsed.data;
  }
  return filter as ImageFilter;
}

/** The same filter as an address. */
export function imageQuery(filter: ImageFilter): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of names) if (filter[name] !== undefined) query.set(name, String(filter[name]));
  return query;
}

export const isFiltered = (filter: ImageFilter): boolean => names.some((name) => filter[name] !== undefined);

/** Only the conditions that are there, out of whatever else an object holds. */
export function pickFilter(given: ImageFilter): ImageFilter {
  const entries = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return Object.fromEntries(entries);
}
