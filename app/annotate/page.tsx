import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { requireActor } from '@/lib/auth/page';
import { workerMoney } from '@/lib/crowd/pay';
import { recentBatches } from '@/lib/crowd/recent-batches';
import { listWork, type WorkOffer } from '@/lib/crowd/work';
import { stageScores } from '@/lib/crowd/worker';
import { BatchTable } from './_home/batch-table';
import { Earnings } from './_home/earnings';
import { StageLine } from './_home/stage-line';
import { VisitBar } from './_home/visit-bar';

export const metadata: Metadata = { title: 'My work' };

export default async function WorkerHome() {
  const actor = await requireActor();
  const db = database();
  const [offers, money, batches] = await Promise.all([
    listWork(db, actor),
    workerMoney(db, actor.userId),
    recentBatches(db, actor.userId),
  ]);
  const scores = await stageScores(
    db,
    actor.userId,
    offers.map(({ stage }) => stage.id),
  );
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Hello, {actor.name}</h1>
      <VisitBar workerId={actor.userId} />
      {offers.length === 0 && (
        <Panel title="What you can work on" flush>
          <EmptyState title="There is no work for you right now">
            You see a project here as soon as its curator has invited you and it is collecting.
          </EmptyState>
        </Panel>
      )}
      {byProject(offers).map(([first, ...rest]) => (
        <Panel
          key={first.project.id}
          title={first.project.name}
          actions={
            <ButtonLink href={`/annotate/${first.project.slug}/guide`} variant="quiet">
              Guide
            </ButtonLink>
          }
          flush
        >
          <ul className="divide-y divide-line">
            {[first, ...rest].map((offer) => (
              <StageLine key={offer.stage.id} offer={offer} score={scores.get(offer.stage.id) ?? null} />
            ))}
          </ul>
        </Panel>
      ))}
      <Earnings money={money} />
      <Panel title="Recent batches" flush>
        <BatchTable batches={batches} />
      </Panel>
    </>
  );
}

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
