'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Plain, Slug } from '@/app/_actions/action';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import { pageProject, requireRight } from '@/lib/services/access/page';
import { getVersion, readSchema, saveSchema, schemaEffects } from '@/lib/services/projects/schema';
import type { ShownEffects } from './use-schema-draft';

/** What saving would do, as it can go to the browser; or why it cannot be saved. */
export const readEffects = action(
  [Slug, Plain],
  async (slug, document): Promise<{ effects: ShownEffects; error?: undefined } | { error: string }> => {
    const { project } = await pageProject(slug, 'schema.write');
    try {
      const current = await getVersion(database(), project.id);
      const found = await schemaEffects(database(), project.id, current.document, readSchema(document));
      const effects: ShownEffects = {
        ...found,
        asked: found.asked.map((row) => ({ ...row, amountMicro: String(row.amountMicro) })),
        forms: { ...found.forms, amountMicro: String(found.forms.amountMicro) },
      };
      return { effects };
    } catch (error) {
      return { error: messageOf(error) };
    }
  },
);

const Saving = z.strictObject({
  from: z.number().int().min(1),
  document: z.unknown(),
  askAgain: z.boolean(),
});

export type SaveReply =
  | { number: number; jobId: string | null; error?: undefined }
  | { error: string; current?: number };

export const save = action([Slug, Saving], async (slug, input): Promise<SaveReply> => {
  const { actor, project } = await pageProject(slug, 'schema.write');
  const { from, document, askAgain } = input;
  try {
    const saved = await saveSchema(database(), actor, { projectId: project.id, from, document, askAgain });
    revalidatePath(`/projects/${project.slug}`, 'layout');
    return saved;
  } catch (error) {
    const current = error instanceof TesseraError ? error.detail?.current : undefined;
    return { error: messageOf(error), ...(typeof current === 'number' && { current }) };
  }
});

/** A version by its number, to start from. */
export const readVersion = action([Slug, z.number().int()], async (slug, number): Promise<DatasetSchema> => {
  const { project } = await pageProject(slug, 'schema.write');
  return (await getVersion(database(), project.id, number)).document;
});

export const readPreset = action([z.string().max(80)], async (id): Promise<DatasetSchema | null> => {
  await requireRight('project.create');
  return schemaPreset(id) ?? null;
});

function messageOf(error: unknown): string {
  if (error instanceof TesseraError) return error.message;
  throw error;
}
