import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { ModelKind } from '@/db/schema';
import { invalid } from '@/lib/core/errors';
import { isPlainGenerator } from './new-evaluation';

const { models } = tables;

/** Oracles and decoders help to evaluate; they have no answer of their own that could be right or wrong. */
export function requireClassifier({ name, kind }: { name: string; kind: ModelKind }): void {
  if (kind !== 'classifier')
    throw invalid(
      `"${name}" is ${kind === 'oracle' ? 'an oracle' : 'a decoder'} and cannot be evaluated. Choose a classifier, and this one as ${kind === 'oracle' ? 'its oracle' : 'generator'}.`,
    );
}

/** A decoder of the project, where one is named. */
export async function checkGenerator(
  db: Db,
  { projectId, generator }: { projectId: string; generator: string },
): Promise<void> {
  if (isPlainGenerator(generator)) return;
  const [found] = await db
    .select({ name: models.name, kind: models.kind })
    .from(models)
    .where(and(eq(models.projectId, projectId), eq(models.id, generator)));
  if (!found) throw invalid('The generator is no model of this project. Choose a decoder from its registry.');
  if (found.kind !== 'decoder')
    throw invalid(
      `"${found.name}" is no decoder: it draws no pictures. Choose a decoder, search or squares.`,
    );
}
