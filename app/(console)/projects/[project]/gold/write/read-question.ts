import { notFound } from 'next/navigation';
import type { Db } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { AnswerValue } from '@/lib/core/quality/answer';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { goldQuestion } from '@/lib/services/curation/gold';

/** The question of the page with what is known about it; the not-found page when nobody asks this. */
export async function readQuestion(
  db: Db,
  projectId: string,
  stage: CrowdStage,
  imageId: string,
  target: string,
) {
  const place = { projectId, stageId: stage.id, imageId, target };
  const found = await goldQuestion(db, place).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  const { image, schema, known } = found;
  return {
    stageId: stage.id,
    stage: stage.name,
    kind: stage.kind,
    imageId,
    target,
    asked: found.target,
    image,
    schema,
    known: AnswerValue.safeParse(known?.value).data ?? null,
    state: known?.state ?? null,
  };
}

export type GoldQuestionView = Awaited<ReturnType<typeof readQuestion>>;
