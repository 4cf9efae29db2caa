'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { formatDateTime, formatMoney } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { stopCrowdQuestions } from '@/lib/services/evaluations/crowd/oracle-stage';
import {
  type AnswerRequest,
  planAnswerRequest,
  requestAnswers,
} from '@/lib/services/evaluations/request-answers';
import { freezeSelection, Selection, sliceSelection } from '@/lib/services/evaluations/selection';

const Place = z.object({ slug: z.string().min(1).max(80), evaluationId: z.uuid() });
export type Place = z.infer<typeof Place>;

const Which = Place.extend({ selection: Selection });
export type Which = z.infer<typeof Which>;

/** Opens the labels of the selected images on the audit page. */
export const fixLabels = action([Which], async (input): Promise<FormState> => {
  const { slug, evaluationId, selection } = input;
  const { actor, project } = await pageProject(slug, 'audit.decide');
  const audit = `/projects/${project.slug}/audit`;
  if ('images' in selection && selection.images.length === 1)
    redirect(`${audit}?image=${selection.images[0]}`);
  const name = `Labels to review, ${formatDateTime(new Date())}`;
  let slice: { id: string } | undefined;
  const state = await refusalOf(async () => {
    slice = await sliceSelection(database(), actor, { projectId: project.id, evaluationId, selection, name });
  });
  if (!slice) return state;
  redirect(`${audit}?slice=${slice.id}`);
});

export const makeSlice = action([Which, z.string().max(1000)], async (input, name): Promise<FormState> => {
  const { slug, evaluationId, selection } = input;
  const { actor, project } = await pageProject(slug, 'evaluations.write');
  let slice: { id: string } | undefined;
  const state = await refusalOf(async () => {
    slice = await sliceSelection(database(), actor, { projectId: project.id, evaluationId, selection, name });
  });
  if (!slice) return state;
  redirect(`/projects/${project.slug}/images?slice=${slice.id}`);
});

export const freezeSet = action([Which, z.string().max(1000)], async (input, name): Promise<FormState> => {
  const { slug, evaluationId, selection } = input;
  const { actor, project } = await pageProject(slug, 'data.freeze');
  const state = await refusalOf(async () => {
    await freezeSelection(database(), actor, { projectId: project.id, evaluationId, selection, name });
  });
  if (state.error) return state;
  redirect(`/projects/${project.slug}/data`);
});

const Asked = Which.extend({ stageId: z.uuid(), answers: z.number().int().min(1).max(10) });
type Asked = z.infer<typeof Asked>;

/** A plan, formatted for the dialog. */
export interface PlanWords {
  error?: string;
  images: number;
  questions: number;
  waiting: number;
  gold: number;
  cost: string;
  /** Null if the stage requests no further answers. */
  most: string | null;
}

const nothing = { images: 0, questions: 0, waiting: 0, gold: 0, cost: '', most: null };

export const planQuestions = action([Asked], async (input): Promise<PlanWords> => {
  const { actor, asking } = await askingOf(input);
  let words: PlanWords = nothing;
  const { error } = await refusalOf(async () => {
    const { costMicro, mostMicro, currency, ...counts } = await planAnswerRequest(database(), actor, asking);
    words = {
      ...counts,
      cost: formatMoney(costMicro, currency),
      most: mostMicro > costMicro ? formatMoney(mostMicro, currency) : null,
    };
  });
  return { ...words, error };
});

export const sendToAnnotators = action([Asked], async (input): Promise<FormState> => {
  const { actor, asking } = await askingOf(input);
  return refusalOf(async () => {
    await requestAnswers(database(), actor, asking);
  });
});

async function askingOf(input: Asked) {
  const { slug, ...rest } = Asked.parse(input);
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const asking: AnswerRequest = { projectId: project.id, ...rest };
  return { actor, asking };
}

export const stopAskingPeople = action([Place], async (input): Promise<string | undefined> => {
  const { slug, evaluationId } = input;
  const { actor, project } = await pageProject(slug, 'evaluations.write');
  const { error } = await refusalOf(async () => {
    await stopCrowdQuestions(database(), actor, { projectId: project.id, evaluationId });
  });
  revalidatePath(`/projects/${project.slug}/evaluations/${evaluationId}`);
  return error;
});
