'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { createOracleStage } from '@/lib/services/evaluations/crowd/oracle-stage';
import { type EvaluationPlan, NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { planEvaluation } from '@/lib/services/evaluations/plan-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { storage } from '@/lib/services/storage';
import { rangeWords } from '../../runs/new/read-wanted';

const Fields = NewEvaluation.extend({
  images: z.coerce.number().pipe(NewEvaluation.shape.images.unwrap()),
  seed: z.coerce.number().pipe(NewEvaluation.shape.seed.unwrap()),
}).strip();

const read = (form: FormData) =>
  Fields.safeParse({
    ...Object.fromEntries(form),
    oracle: form.getAll('oracle'),
    crowd: form.get('crowd') || null,
  });

const labels: Record<string, string> = {
  model: 'Model',
  version: 'Version',
  suite: 'Suite',
  preset: 'Preset',
  split: 'Split',
  images: 'Maximum images',
  seed: 'Seed',
  oracle: 'Oracle',
  generator: 'Generator',
  crowd: 'Crowd oracle',
};

/** Describes a validation error with the label of its field. */
function issueText({ issues: [issue] }: z.ZodError): string {
  const field = String(issue?.path[0] ?? '');
  if (field === 'oracle') return 'Choose one to three models as oracle.';
  return `“${labels[field] ?? 'The form'}” ${rangeWords(issue?.message ?? '')}`;
}

export interface Planned {
  plan?: EvaluationPlan;
  error?: string;
}

/** Plans the evaluation of the form. */
export const planOf = action([Slug, Form], async (slug, form): Promise<Planned> => {
  const { project } = await pageProject(slug, 'evaluations.write');
  const asked = read(form);
  if (!asked.success) return { error: issueText(asked.error) };
  const context = { db: database(), storage: storage(), signal: new AbortController().signal };
  let plan: EvaluationPlan | undefined;
  const { error } = await refusalOf(async () => {
    plan = await planEvaluation(context, { projectId: project.id, evaluation: asked.data });
  });
  return error ? { error } : { plan };
});

export const start = action([Slug, Before, Form], async (slug, _, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'evaluations.write');
  const asked = read(form);
  if (!asked.success) return { error: issueText(asked.error) };
  let started: { id: string } | undefined;
  const state = await refusalOf(async () => {
    started = await startEvaluation(database(), actor, { projectId: project.id, evaluation: asked.data });
  });
  if (state.error || !started) return state;
  const path = `/projects/${project.slug}/evaluations`;
  revalidatePath(path);
  redirect(`${path}/${started.id}`);
});

/** Creates an oracle stage from the dialog; pay is in currency units. */
export const makeStage = action([Slug, Form], async (slug, form): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const [people, batch, pay] = ['people', 'batch', 'pay'].map((name) => Number(form.get(name)));
  return refusalOf(async () => {
    await createOracleStage(database(), actor, {
      projectId: project.id,
      stage: {
        name: String(form.get('name') ?? ''),
        people: people ?? 0,
        batch: batch ?? 0,
        payMicro: Math.round((pay ?? 0) * 1_000_000),
      },
    });
  });
});
