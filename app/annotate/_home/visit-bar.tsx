import { getTranslations } from 'next-intl/server';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { openVisit, recruiterOf, visitProgress } from '@/lib/services/crowd/recruit';

/** For a worker whom a marketplace sent: how far the visit is, and the way back. Nothing for anybody else. */
export async function VisitBar({ workerId }: { workerId: string }) {
  const db = database();
  const visit = await openVisit(db, { workerId });
  if (!visit) return null;
  const t = await getTranslations('home');
  const { outcome, batchesDone, batchesWanted } = await visitProgress(db, visit);
  const marketplace = recruiterOf(visit.recruitment.recruiter).title;
  const isFinished = outcome === 'finished';
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <p className="min-w-0 flex-1 basis-64">
        {isFinished
          ? t('visitDone', { marketplace })
          : t('visit', { marketplace, done: batchesDone, count: batchesWanted })}
      </p>
      <ButtonLink
        href={`/annotate/${visit.slug}/leave`}
        variant={isFinished ? 'primary' : 'secondary'}
        size="large"
      >
        {isFinished ? t('finish', { marketplace }) : t('leave')}
      </ButtonLink>
    </div>
  );
}
