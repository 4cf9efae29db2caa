import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Translated } from '@/app/_i18n/translated';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { ownPayees } from '@/lib/services/crowd/pay';
import { PayeeForm } from './payee-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('payee'))('title') };
}

/** Where a worker wants the money of one project sent. */
export default async function PayeePage({ params }: PageProps<'/annotate/[project]/payee'>) {
  const { project, actor } = await pageProject((await params).project, 'work.payee');
  const own = (await ownPayees(database(), actor.userId)).find((each) => each.project.id === project.id);
  if (!own?.isAsked) notFound();
  const t = await getTranslations('payee');
  return (
    <Translated namespaces={['payee', 'errors']}>
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <p className="text-ink-2">{project.name}</p>
      </header>
      <div className="w-full max-w-xl">
        <Panel>
          <div className="flex flex-col gap-4">
            {own.schedule !== 'as-described' && <p>{t(`schedules.${own.schedule}`)}</p>}
            <p className="max-w-prose text-sm text-ink-2">{t('privacy')}</p>
            <PayeeForm slug={project.slug} methods={own.methods} details={own.details} />
          </div>
        </Panel>
      </div>
    </Translated>
  );
}
