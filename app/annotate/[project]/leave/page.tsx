import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { openVisit, recruiterOf, type VisitProgress, visitProgress } from '@/lib/crowd/recruit';
import { formatCount } from '@/lib/format';
import { LeaveForm } from './leave-form';

export const metadata: Metadata = { title: 'Finish the visit' };

/** The way back to the marketplace that sent a worker: how the visit would end now, and the step itself. */
export default async function Leave({ params }: PageProps<'/annotate/[project]/leave'>) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const visit = await openVisit(database(), { workerId: actor.userId, projectId: project.id });
  if (!visit) notFound();
  const progress = await visitProgress(database(), visit);
  const { title: marketplace } = recruiterOf(visit.recruitment.recruiter);
  const { title, says, act } = wordsFor(progress, marketplace);
  return (
    <>
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-ink-2">{project.name}</p>
      </header>
      <p className="max-w-prose">{says}</p>
      <p className="max-w-prose text-ink-2">
        Every item that you finished is kept and paid. An open batch goes to others, and you are signed out
        here.
      </p>
      <div className="flex flex-wrap gap-3">
        <LeaveForm project={project.slug} label={act} />
        <ButtonLink href="/annotate" size="large">
          Not yet
        </ButtonLink>
      </div>
    </>
  );
}

function wordsFor({ outcome, batchesDone, batchesWanted }: VisitProgress, marketplace: string) {
  switch (outcome) {
    case 'finished':
      return {
        title: 'Finish the visit',
        says: `You submitted ${formatCount(batchesDone, 'batch', 'batches')}: the visit is complete. ${marketplace} gets the code for it.`,
        act: `Finish and go back to ${marketplace}`,
      };
    case 'screened-out':
      return {
        title: 'End the visit',
        says: `The visit has ${batchesDone} of ${formatCount(batchesWanted, 'whole batch', 'whole batches')}. What you did, exams included, is paid; ${marketplace} gets the code that says so. This is no rejection.`,
        act: `Go back to ${marketplace}`,
      };
    case 'returned':
      return {
        title: 'Give the visit back?',
        says: `A finished visit has ${formatCount(batchesWanted, 'whole batch', 'whole batches')}; so far you did nothing in this one. If you leave now, ${marketplace} is told that you give your place back.`,
        act: 'Give it back',
      };
  }
}
