import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { openVisit, recruiterOf, visitProgress } from '@/lib/crowd/recruit';
import { formatCount } from '@/lib/format';

/** For somebody whom a marketplace sent: how far the visit is, and the way back. Nothing for anybody else. */
export async function VisitBar({ workerId }: { workerId: string }) {
  const db = database();
  const visit = await openVisit(db, { workerId });
  if (!visit) return null;
  const { outcome, batchesDone, batchesWanted } = await visitProgress(db, visit);
  const { title } = recruiterOf(visit.recruitment.recruiter);
  const isFinished = outcome === 'finished';
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <p className="min-w-0 flex-1 basis-64">
        {isFinished
          ? `Your visit from ${title} is complete. You can finish it, or go on working.`
          : `You came from ${title}: ${batchesDone} of ${formatCount(batchesWanted, 'batch', 'batches')} done.`}
      </p>
      <ButtonLink
        href={`/annotate/${visit.slug}/leave`}
        variant={isFinished ? 'primary' : 'secondary'}
        size="large"
      >
        {isFinished ? `Finish and go back to ${title}` : 'Leave'}
      </ButtonLink>
    </div>
  );
}
