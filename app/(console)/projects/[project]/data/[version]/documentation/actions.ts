'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { Statements } from '@/lib/core/croissant';
import { pageProject } from '@/lib/services/access/page';
import { stateAboutVersion } from '@/lib/services/datasets/versions/mark-version';

const Name = z.string().min(1).max(80);

export const saveStatements = action(
  [Slug, Name, Before, Form],
  async (slug, version, _, form): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'data.freeze');
    const given = Object.keys(Statements.shape).map((name) => [name, String(form.get(name) ?? '')]);
    const statements = Statements.safeParse(Object.fromEntries(given));
    if (!statements.success)
      return {
        fields: Object.fromEntries(
          statements.error.issues.map(({ path, message }) => [String(path[0]), message]),
        ),
      };
    const state = await refusalOf(() =>
      stateAboutVersion(database(), actor, { projectId: project.id, version, statements: statements.data }),
    );
    revalidatePath(`/projects/${project.slug}/data`, 'layout');
    return state;
  },
);
