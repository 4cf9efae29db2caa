import { z } from 'zod';
import { schemaProblems } from './problems';

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
  /** An object may have several, published as `<name>_1`, `<name>_2`, … */
  numbered: z.boolean().optional(),
  /** Ids of the finer parts, in another preset, that this one merges. */
  merges: z.array(Id).optional(),
});

export const DatasetSchemaShape = z.object({
  id: Id,
  name: z.string().min(1),
  description: z.string().min(1),
  citation: z.string().optional(),
  classes: z.array(SchemaClass).min(1),
  attributeGroups: z.array(AttributeGroup),
  attributes: z.array(SchemaAttribute),
  parts: z.array(SchemaPart),
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
