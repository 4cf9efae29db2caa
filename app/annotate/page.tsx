import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { pageNames } from '@/app/_i18n/project-texts';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import { ownPayees, workerMoney } from '@/lib/services/crowd/pay';
import type { Names } from '@/lib/services/crowd/translations';
import { listWork, type WorkOffer } from '@/lib/services/crowd/work';
import { listBatches, stageScores } from '@/lib/services/crowd/worker';
import { BatchList } from './_home/batch-list';
import { Earnings } from './_home/earnings';
import { PayeeNotice } from './_home/payee-notice';
import { StageLine } from './_home/stage-line';
import { VisitBar } from './_home/visit-bar';

/** Batches on the page; the history has all of them. */
const RECENT_BATCHES = 8;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('shell'))('myWork') };
}

export default async function WorkerHome() {
  const actor = await requireActor();
  const db = database();
  const [offers, money, payees, batches, read] = await Promise.all([
    listWork(db, actor),
    workerMoney(db, actor.userId),
    ownPayees(db, actor.userId),
    listBatches(db, actor.userId, { limit: RECENT_BATCHES }),
    readGuides(db, actor.userId),
  ]);
  const scores = await stageScores(
    db,
    actor.userId,
    offers.map(({ stage }) => stage.id),
  );
  const names = await pageNames([
    ...offers.map(({ project }) => project.id),
    ...batches.map(({ projectId }) => projectId),
  ]);
  const t = await getTranslations('home');
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('hello', { name: actor.name })}</h1>
      <VisitBar workerId={actor.userId} />
      {offers.length === 0 && (
        <Panel>
          <EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>
        </Panel>
      )}
      {byProject(offers.map((offer) => named(offer, names))).map(([first, ...rest]) => (
        <Panel
          key={first.project.id}
          title={first.project.name}
          actions={
            <ButtonLink href={`/annotate/${first.project.slug}/guide`} variant="quiet">
              {t('guide')}
            </ButtonLink>
          }
          flush
        >
          <ul className="divide-y divide-line">
            {[first, ...rest].map((offer) => (
              <StageLine
                key={offer.stage.id}
                offer={offer}
                score={scores.get(offer.stage.id) ?? null}
                hasReadGuide={read.has(offer.project.id)}
              />
            ))}
          </ul>
        </Panel>
      ))}
      <PayeeNotice payees={payees} />
      <Earnings money={money} />
      <Panel
        title={t('recent')}
        actions={
          <ButtonLink href="/annotate/history" variant="quiet">
            {t('allBatches')}
          </ButtonLink>
        }
        flush
      >
        <BatchList batches={batches} names={names} label={t('recent')} />
      </Panel>
    </>
  );
}

const named = (offer: WorkOffer, names: Names): WorkOffer => ({
  ...offer,
  project: { ...offer.project, name: names.project(offer.project.id, offer.project.name) },
  stage: { ...offer.stage, name: names.stage(offer.project.id, offer.stage.id, offer.stage.name) },
});

/** One group per project, in the order of the list; a project that waits for consent is one line. */
function byProject(offers: readonly WorkOffer[]): [WorkOffer, ...WorkOffer[]][] {
  const groups = new Map<string, [WorkOffer, ...WorkOffer[]]>();
  for (const offer of offers) {
    const group = groups.get(offer.project.id);
    if (!group) groups.set(offer.project.id, [offer]);
    else if (offer.gate?.gate !== 'consent' || offer.openBatch) group.push(offer);
  }
  return [...groups.values()];
}
