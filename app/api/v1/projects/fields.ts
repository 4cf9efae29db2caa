import { z } from 'zod';
import { projectStates, roles, stageKinds } from '@/db/schema';
import { type Locale, locales } from '@/lib/core/i18n/locales';
import { schemaPresets } from '@/lib/core/schema/presets';
import { id, moment } from '../../_http/fields';

const Counts = z.object({
  images: z.number().int(),
  items: z.object({ open: z.number().int(), settled: z.number().int() }),
  people: z.object({ curator: z.number().int(), researcher: z.number().int(), worker: z.number().int() }),
  jobs: z.object({ active: z.number().int(), failed: z.number().int() }),
});

export const Project = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  state: z.enum(projectStates),
  isDemo: z.boolean(),
  /** In which the texts of the project are written. */
  language: z.string(),
  createdAt: moment,
  updatedAt: moment,
});

export const ListedProject = Project.extend({
  /** Your roles in it; empty when you see it as an admin. */
  roles: z.array(z.enum(roles)),
  counts: Counts,
});

export const ProjectDetails = ListedProject.extend({
  schemaNumber: z.number().int().nullable(),
  /** Classes, attributes, groups and parts, as in the presets. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  stages: z.array(
    z.object({
      id,
      kind: z.enum(stageKinds),
      name: z.string(),
      position: z.number().int(),
      state: z.enum(['open', 'paused', 'closed']),
    }),
  ),
});

const name = z.string().trim().min(1).max(120);
const description = z.string().max(5_000);

export const NewProject = z.strictObject({
  name,
  slug: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'letters a-z, digits and hyphens, at most 63')
    .optional(),
  description: description.default(''),
  preset: z.enum(schemaPresets.map((preset) => preset.id) as [string, ...string[]]),
});

export const ProjectChange = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    /** In which the texts of the project are written. */
    language: z.enum(locales as [Locale, ...Locale[]]).optional(),
    state: z.enum(['collecting', 'paused', 'finished']).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Say what to change.');
