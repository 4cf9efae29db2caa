'use server';

import { redirect } from 'next/navigation';
import { action, Slug } from '@/app/_actions/action';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { keepGuideRead } from '@/lib/services/accounts';
import { listWork } from '@/lib/services/crowd/work';

/** Remembers that the guide was read, and leads to the next step: the consent, the exam or the work. */
export const finishGuide = action([Slug], async (slug): Promise<void> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  await keepGuideRead(database(), actor.userId, project.id);
  const offers = (await listWork(database(), actor)).filter((offer) => offer.project.id === project.id);
  if (offers.some(({ gate }) => gate?.gate === 'consent')) redirect(`/annotate/${slug}/consent`);
  const examFirst = offers.find(({ gate, openBatch }) => gate?.gate === 'exam' && !openBatch);
  redirect(examFirst ? `/annotate/${slug}/exam/${examFirst.stage.id}` : '/annotate');
});
