import { and, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { invalid } from '@/lib/core/errors';

const { models } = tables;

/** Judges that are there, each once and none of them the model itself; in one order, whatever that of the asking. */
export async function checkedOracle(
  db: Db,
  {
    projectId,
    model,
    oracle,
  }: { projectId: string; model: { id: string; sha256: string }; oracle: readonly string[] },
): Promise<string[]> {
  if (oracle.length === 0) return [];
  const asked = new Set(oracle);
  if (asked.size < oracle.length)
    throw invalid('A model is named twice as oracle: each judges once. Name another one, or fewer.');
  const found = await db
    .select({ id: models.id, name: models.name, blob: models.blob, kind: models.kind })
    .from(models)
    .where(and(eq(models.projectId, projectId), inArray(models.id, [...asked])));
  if (found.length < asked.size)
    throw invalid('An oracle is no model of this project. Choose from its registry.');
  const drawing = found.find(({ kind }) => kind === 'decoder');
  if (drawing)
    throw invalid(`"${drawing.name}" is a decoder: it draws and does not judge. Name it as generator.`);
  const itself = found.find(({ id, blob }) => id === model.id || blob === model.sha256);
  if (itself)
    throw invalid(
      `"${itself.name}" is the model that is evaluated: it would judge itself. Choose other models as oracle.`,
    );
  return [...asked].sort();
}
