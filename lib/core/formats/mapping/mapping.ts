import { Document, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { MAX_ENTRIES, MAX_INSTANCES } from '@/lib/core/schema/types';

const Id = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[A-Za-z0-9][A-Za-z0-9 :_-]*$/, 'use letters, digits, space, colon, underscore and hyphen');
/** Text that PostgreSQL can store. */
const Text = z
  .string()
  .max(1000)
  .regex(/^[^\0\ud800-\udfff]*$/u, 'contains characters that cannot be stored');

const entry = {
  /** The category as the files name it. */
  source: Text,
  /** Annotations of the category when the mapping was proposed. For people. */
  count: z.number().int().min(0).optional(),
  /** Why it was proposed. For people. */
  reason: Text.optional(),
};

/** What a category of the source becomes in the project. */
export const CategoryMapping = z.discriminatedUnion('to', [
  /** An object. */
  z.strictObject({ ...entry, to: z.literal('class'), name: Id }),
  z.strictObject({
    ...entry,
    to: z.literal('part'),
    name: Id,
    /** The classes that have the part. */
    of: z.array(Id).min(1).max(MAX_ENTRIES),
    /** The part that this one is a part of. */
    parent: Id.optional(),
    /** An object can have several of them. */
    numbered: z.boolean().optional(),
    /** Its place among the instances: 2 for "wheel_2". */
    instance: z.number().int().min(1).max(MAX_INSTANCES).optional(),
    /** Joins all annotations of an object into one mask. They then count as merged. */
    merge: z.boolean().optional(),
  }),
  /** A region without objects, such as road or sky. */
  z.strictObject({ ...entry, to: z.literal('stuff'), name: Id }),
  /** A localised attribute of the image, with its mask. */
  z.strictObject({ ...entry, to: z.literal('attribute'), name: Id }),
  /** A region of objects of a class that are not told apart. */
  z.strictObject({ ...entry, to: z.literal('crowd'), name: Id }),
  /** A region that nobody annotated and nothing is measured on. */
  z.strictObject({ ...entry, to: z.literal('ignore') }),
  /** Not imported, and counted as skipped. */
  z.strictObject({ ...entry, to: z.literal('skip') }),
]);

export type CategoryMapping = z.infer<typeof CategoryMapping>;
export type MappingTarget = CategoryMapping['to'];

export const targets = ['class', 'part', 'stuff', 'attribute', 'crowd', 'ignore', 'skip'] as const;

/** Where the class of an image comes from. */
export const ClassRule = z.discriminatedUnion('from', [
  /** From the label files if they state it, else from the largest object. */
  z.strictObject({ from: z.literal('labels') }),
  z.strictObject({ from: z.literal('largest-object') }),
  /** The name of the folder that contains the image. */
  z.strictObject({ from: z.literal('folder') }),
  z.strictObject({ from: z.literal('field'), field: Text.min(1) }),
  z.strictObject({ from: z.literal('constant'), name: Id }),
]);

const SplitName = z.string().min(1).max(80);

/** Where the split of an image comes from. */
export const SplitRule = z.discriminatedUnion('from', [
  /** From the label files if they state it, else from a folder such as "trainingset". */
  z.strictObject({ from: z.literal('labels') }),
  /** Splits by the names of folders. Other folders have none. */
  z.strictObject({ from: z.literal('folder'), names: z.record(Text, SplitName) }),
  /** Text files with one image per line, by split. */
  z.strictObject({ from: z.literal('lists'), files: z.record(SplitName, Text) }),
  z.strictObject({ from: z.literal('field'), field: Text.min(1) }),
  z.strictObject({ from: z.literal('constant'), name: SplitName }),
  z.strictObject({ from: z.literal('none') }),
]);

/** What the categories, classes and splits of a dataset mean. Stored as YAML, and with projects. */
export const Mapping = z
  .strictObject({
    version: z.literal(1),
    /** Id of the format. */
    format: z.string().max(80).optional(),
    /** `project` keeps the schema of the project; `dataset` replaces that of an empty draft. */
    schema: z.enum(['project', 'dataset']).default('dataset'),
    class: ClassRule.default({ from: 'labels' }),
    split: SplitRule.default({ from: 'labels' }),
    /** Whether annotations of one group are pieces of one mask, as LabelMe and CVAT mean it, or instances. */
    groups: z.enum(['pieces', 'instances']).default('pieces'),
    categories: z.array(CategoryMapping).max(10_000),
  })
  .superRefine(({ categories }, context) => {
    const seen = new Set<string>();
    categories.forEach(({ source }, index) => {
      if (seen.has(source))
        context.addIssue({
          code: 'custom',
          path: ['categories', index, 'source'],
          message: `category "${source}" appears twice`,
        });
      seen.add(source);
    });
  });

export type Mapping = z.infer<typeof Mapping>;
export type ClassRule = z.infer<typeof ClassRule>;
export type SplitRule = z.infer<typeof SplitRule>;

const MAX_TEXT = 4 * 1024 * 1024;

/** Parses a mapping file. Throws with the first problem in one sentence. */
export function parseMapping(text: string): Mapping {
  if (text.length > MAX_TEXT) throw new Error('A mapping file is larger than 4 MB.');
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw new Error(`The mapping is not valid YAML: ${error.message.split('\n')[0]}`);
  return checkMapping(document.toJS({ maxAliasCount: 0 }));
}

export function checkMapping(given: unknown): Mapping {
  const parsed = Mapping.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  throw new Error(`The mapping is not valid: ${at === '' ? '' : `${at}: `}${issue?.message ?? 'unknown'}.`);
}

const HEADER = `# What the categories of the dataset become in the project. Edit it and pass it with --map.
# to: class | part (of, parent, numbered, instance, merge) | stuff | attribute | crowd | ignore | skip
`;

/** Writes a mapping as YAML, with a comment about its values. */
export function writeMapping(mapping: Mapping): string {
  const document = new Document(mapping, { aliasDuplicateObjects: false });
  // Lists of classes on one line, so that each category fits on the screen.
  visit(document, {
    Seq: (_, list) => {
      if (list.items.every((item) => isScalar(item))) list.flow = true;
    },
  });
  return HEADER + document.toString({ lineWidth: 0 });
}
