'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form, Plain, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { startFreeze } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';

/** Freezes the previewed plan with the licence and description from the form. */
export const freeze = action(
  [Slug, z.record(z.string(), Plain), Before, Form],
  async (slug, request, _, form): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'data.freeze');
    const parsed = FreezeRequest.safeParse({
      ...(request as object),
      licence: form.get('licence') ?? '',
      description: form.get('description') ?? '',
      allowLeaks: form.get('allowLeaks') === 'on',
    });
    if (!parsed.success)
      return {
        error: 'The licence can have up to 200 characters and the description up to 4,000. Shorten the text.',
      };
    let job = '';
    const state = await refusalOf(async () => {
      const started = await startFreeze(database(), actor, { projectId: project.id, request: parsed.data });
      job = started.jobId;
    });
    if (state.error) return state;
    const query = new URLSearchParams(String(form.get('plan') ?? ''));
    query.set('job', job);
    redirect(`/projects/${project.slug}/data/freeze?${query}`);
  },
);
