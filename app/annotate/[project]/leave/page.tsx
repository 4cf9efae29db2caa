import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { pageTexts } from '@/app/_i18n/project-texts';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { textKeys } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import { openVisit, recruiterOf, type VisitProgress, visitProgress } from '@/lib/services/crowd/recruit';
import { LeaveForm } from './leave-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('leave'))('finishTitle') };
}

/** The way back to the marketplace that sent a worker: how the visit would end now, and the step itself. */
export default async function Leave({ params }: PageProps<'/annotate/[project]/leave'>) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const visit = await openVisit(database(), { workerId: actor.userId, projectId: project.id });
  if (!visit) notFound();
  const progress = await visitProgress(database(), visit);
  const { title: marketplace } = recruiterOf(visit.recruitment.recruiter);
  const t = await getTranslations('leave');
  const { title, text, label } = await textFor(progress, marketplace);
  return (
    <>
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-ink-2">
          {(await pageTexts(project.id)).quiet(textKeys.projectName, project.name)}
        </p>
      </header>
      <p className="max-w-prose">{text}</p>
      <p className="max-w-prose text-ink-2">{t('note')}</p>
      <div className="flex flex-wrap gap-3">
        <LeaveForm project={project.slug} label={label} />
        <ButtonLink href="/annotate" size="large">
          {t('notYet')}
        </ButtonLink>
      </div>
    </>
  );
}

async function textFor({ outcome, batchesDone, batchesWanted }: VisitProgress, marketplace: string) {
  const t = await getTranslations('leave');
  switch (outcome) {
    case 'finished':
      return {
        title: t('finishTitle'),
        text: t('finishText', { count: batchesDone, marketplace }),
        label: t('finishAction', { marketplace }),
      };
    case 'screened-out':
      return {
        title: t('endTitle'),
        text: t('endText', { done: batchesDone, count: batchesWanted, marketplace }),
        label: t('endAction', { marketplace }),
      };
    case 'returned':
      return {
        title: t('returnTitle'),
        text: t('returnText', { count: batchesWanted, marketplace }),
        label: t('returnAction'),
      };
  }
}
