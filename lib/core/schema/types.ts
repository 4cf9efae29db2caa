import { z } from 'zod';

const Id = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9 :_-]*$/, 'letters, digits, space, colon, underscore and hyphen only');

/** Numbers by which published formats know an entry, e.g. `{ coco: 0, mask: 31 }`. */
const Codes = z.record(z.string(), z.number().int());

export const SchemaClass = z.object({
  id: Id,
  name: z.string().min(1),
  definition: z.string().optional(),
  /** WordNet ids of the ImageNet classes that make up this one. */
  wnids: z.array(z.string().regex(/^n\d{8}$/)).optional(),
  superclass: z.string().optional(),
  codes: Codes.optional(),
  /** A stuff class, such as road or sky, has regions instead of objects, and no parts. Things if undefined. */
  kind: z.enum(['thing', 'stuff']).optional(),
  /** An image can show several objects of this class. Each becomes an object with its own parts. */
  numbered: z.boolean().optional(),
});

export const AttributeKind = z.enum(['whole-object', 'localised', 'label-only']);

export const SchemaAttribute = z.object({
  id: Id.refine((id) => id !== 'none', '"none" is the exclusive option of a group, not an attribute'),
  name: z.string().min(1),
  kind: AttributeKind,
  definition: z.string().min(1),
  codes: Codes.optional(),
});

export const AttributeGroup = z.object({
  id: Id,
  name: z.string().min(1),
  attributes: z.array(Id).min(1),
  /** Fewest and most options to choose; "none" counts as one option. */
  min: z.number().int().min(0),
  max: z.number().int().min(1),
  /** The group offers "none", which excludes every other option of the group. */
  exclusiveNone: z.boolean(),
});

export const SchemaPart = z.object({
  id: Id,
  name: z.string().min(1),
  classes: z.array(Id).min(1),
  definition: z.string().optional(),
  /** Where parts overlap, an exporter that needs one id per pixel keeps the highest. */
  zOrder: z.number().int(),
  colour: z.string().regex(/^#[0-9a-f]{6}$/),
  codes: Codes.optional(),
  /** An object can have several instances, published as `<name>_1`, `<name>_2`, … */
  numbered: z.boolean().optional(),
  /** Id of the part that this one is a part of, one level deep: the hand of an arm. */
  parent: Id.optional(),
  /** Ids of the finer parts, in another preset, that this one merges. */
  merges: z.array(Id).optional(),
});

/**
 * What is known about an annotation besides its mask. `crowd`: a region of objects that are not told apart; without a
 * class, a region to ignore. `occluded`: partly behind something else. `truncated`: cut off by the image border.
 */
export const labelFlags = ['crowd', 'occluded', 'truncated'] as const;
export type LabelFlag = (typeof labelFlags)[number];

/** Instances of one part on one object. */
export const MAX_INSTANCES = 1000;

/** Flags that workers can be asked for. A crowd region is not an object, so nobody is asked about it. */
export const askedFlags = ['occluded', 'truncated'] as const satisfies readonly LabelFlag[];

export const DatasetSchemaShape = z.object({
  id: Id,
  name: z.string().min(1),
  description: z.string().min(1),
  citation: z.string().optional(),
  classes: z.array(SchemaClass).min(1),
  attributeGroups: z.array(AttributeGroup),
  attributes: z.array(SchemaAttribute),
  parts: z.array(SchemaPart),
  /** Flags that workers are asked for, with the outlines of objects and the masks of parts. None if undefined. */
  flags: z.array(z.enum(askedFlags)).optional(),
});

export const DatasetSchema = DatasetSchemaShape.superRefine((schema, context) => {
  for (const { path, message } of schemaProblems(schema)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});

export type SchemaClass = z.infer<typeof SchemaClass>;
export type SchemaAttribute = z.infer<typeof SchemaAttribute>;
export type AttributeKind = z.infer<typeof AttributeKind>;
export type AttributeGroup = z.infer<typeof AttributeGroup>;
export type SchemaPart = z.infer<typeof SchemaPart>;
export type DatasetSchema = z.infer<typeof DatasetSchemaShape>;

/** Parts of a class, lowest first, in the order in which an exporter paints them. */
export function partsOfClass(schema: DatasetSchema, classId: string): SchemaPart[] {
  return schema.parts
    .filter((part) => part.classes.includes(classId))
    .sort((a, b) => a.zOrder - b.zOrder || schema.parts.indexOf(a) - schema.parts.indexOf(b));
}

/**
 * Whether the answer about a target can consist of several instances: several wheels of a car, or several cars. The
 * other objects of an image (`readTarget`) are one object each.
 */
export function canHaveInstances(
  schema: DatasetSchema,
  kind: 'object-mask' | 'part-mask',
  target: string,
  imageClass: string | null,
): boolean {
  const { id, instance } = readTarget(target);
  if (kind === 'part-mask') return schema.parts.some((part) => part.id === id && part.numbered === true);
  const own = schema.classes.find((entry) => entry.id === imageClass);
  return instance === 1 && own?.numbered === true && own.kind !== 'stuff';
}

/** Classes with regions instead of objects. */
export const stuffClasses = (schema: DatasetSchema): SchemaClass[] =>
  schema.classes.filter(({ kind }) => kind === 'stuff');

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

/** Share of white or black in the colours of further instances; the first one has the plain colour. */
const shades = [0, 0.5, -0.38, 0.25, -0.2] as const;

/** Another shade of the colour of a part for each of its instances. */
export function instanceColour(colour: string, instance: number): string {
  const share = shades[(instance - 1) % shades.length] ?? 0;
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16);
    return Math.round(value + ((share > 0 ? 255 : 0) - value) * Math.abs(share))
      .toString(16)
      .padStart(2, '0');
  };
  return share === 0 ? colour : `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** The number in targets of stuff regions: beyond those of objects, so that `#1001:road` is never an object. */
export const STUFF_NUMBER = MAX_INSTANCES + 1;

/**
 * What an item or a label is about: a part or localised attribute, or the whole object ('' as id). A picture is of one
 * object; pictures that were brought in from elsewhere may show more, numbered from 2, each with a class of its own.
 */
export interface TargetName {
  /** Of a part or attribute; empty for the object as a whole. */
  id: string;
  /** 1 is the object that the picture is of. */
  instance: number;
  /** Null for the first object, whose class is that of the picture. */
  className: string | null;
}

/** `head`, and for a second object `head#2:dog`; ids hold no "#". */
export function writeTarget({ id, instance, className }: TargetName): string {
  return instance === 1 ? id : `${id}#${instance}:${className ?? ''}`;
}

export function readTarget(target: string): TargetName {
  const found = /^([^#]*)#(\d{1,6}):([^#]*)$/.exec(target);
  if (!found) return { id: target, instance: 1, className: null };
  return { id: found[1] ?? '', instance: Number(found[2]), className: found[3] || null };
}

/** For people: "Head", "Head of object 2 (Dog)", "object 2 (Dog)"; what the whole is called is up to the page. */
export function describeTarget(target: string, nameOf: (id: string) => string, whole: string): string {
  const { id, instance, className } = readTarget(target);
  if (instance === 1) return id ? nameOf(id) : whole;
  const object = `object ${instance}${className ? ` (${nameOf(className)})` : ''}`;
  return id ? `${nameOf(id)} of ${object}` : object;
}

export interface SchemaProblem {
  /** Where it is: `['parts', 3, 'classes']`. */
  path: readonly (string | number)[];
  message: string;
}

/** Entries of one kind. More than this nobody can choose from or keep apart by colour. */
export const MAX_ENTRIES = 200;

const lists = [
  ['classes', 'class', 'classes'],
  ['attributeGroups', 'attribute group', 'attribute groups'],
  ['attributes', 'attribute', 'attributes'],
  ['parts', 'part', 'parts'],
] as const;

/** What contradicts itself in a schema whose fields are all of the right kind. */
export function schemaProblems(schema: DatasetSchema): SchemaProblem[] {
  return [...listProblems(schema), ...groupProblems(schema), ...partProblems(schema)];
}

function listProblems(schema: DatasetSchema): SchemaProblem[] {
  return lists.flatMap(([field, word, words]) => {
    const ids = schema[field].map((entry) => entry.id);
    const problems = repeated(ids).map((index) => ({
      path: [field, index, 'id'],
      message: `${word} "${ids[index]}" appears twice`,
    }));
    if (ids.length <= MAX_ENTRIES) return problems;
    const message = `${ids.length} ${words}: at most ${MAX_ENTRIES} are possible`;
    return [...problems, { path: [field], message }];
  });
}

function groupProblems(schema: DatasetSchema): SchemaProblem[] {
  const known = new Set(schema.attributes.map((attribute) => attribute.id));
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  schema.attributeGroups.forEach((group, index) => {
    const path = ['attributeGroups', index];
    for (const id of group.attributes) {
      if (seen.has(id))
        problems.push({ path: [...path, 'attributes'], message: `attribute "${id}" is in two groups` });
      if (!known.has(id)) {
        const message = `a group names attribute "${id}", which does not exist`;
        problems.push({ path: [...path, 'attributes'], message });
      }
      seen.add(id);
    }
    if (group.min > group.max) {
      const message = `group "${group.id}" asks for more options than it allows`;
      problems.push({ path: [...path, 'max'], message });
    }
    const offered = group.attributes.length + (group.exclusiveNone ? 1 : 0);
    if (group.min > offered) {
      const message = `group "${group.id}" asks for ${group.min} options and has ${offered}`;
      problems.push({ path: [...path, 'min'], message });
    }
  });
  schema.attributes.forEach(({ id }, index) => {
    if (!seen.has(id)) {
      problems.push({ path: ['attributes', index, 'id'], message: `attribute "${id}" is in no group` });
    }
  });
  return problems;
}

function partProblems(schema: DatasetSchema): SchemaProblem[] {
  const classes = new Set(schema.classes.map((entry) => entry.id));
  // Both are drawn in the same stage, where a question is known by what it asks for.
  const drawn = new Set(schema.attributes.flatMap(({ id, kind }) => (kind === 'localised' ? [id] : [])));
  const parts = new Map(schema.parts.map((part) => [part.id, part]));
  const stuff = new Set(stuffClasses(schema).map(({ id }) => id));
  return schema.parts.flatMap((part, index) => {
    const at = (field: string) => ({ path: ['parts', index, field] });
    const strangers = part.classes.flatMap((id) => {
      if (stuff.has(id))
        return `part "${part.id}" belongs to the stuff class "${id}", which cannot have parts`;
      return classes.has(id) ? [] : `part "${part.id}" belongs to class "${id}", which does not exist`;
    });
    const message = `part "${part.id}" has the id of an attribute that is drawn`;
    return [
      ...strangers.map((message) => ({ ...at('classes'), message })),
      ...(drawn.has(part.id) ? [{ ...at('id'), message }] : []),
      ...parentProblems(part, parts).map((message) => ({ ...at('parent'), message })),
    ];
  });
}

function parentProblems(part: SchemaPart, parts: ReadonlyMap<string, SchemaPart>): string[] {
  if (part.parent === undefined) return [];
  const parent = parts.get(part.parent);
  if (!parent) return [`part "${part.id}" is a part of "${part.parent}", which does not exist`];
  if (parent.id === part.id) return [`part "${part.id}" is a part of itself`];
  if (parent.parent !== undefined)
    return [`part "${part.id}" is two levels deep: its parent "${parent.id}" is itself a part of a part`];
  const missing = part.classes.filter((id) => !parent.classes.includes(id));
  return missing.length > 0
    ? [`part "${part.id}" belongs to class "${missing[0]}", but its parent "${parent.id}" does not`]
    : [];
}

/** Places whose id stood there before. */
const repeated = (ids: readonly string[]): number[] =>
  ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : [index]));
