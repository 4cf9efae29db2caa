import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { Histogram } from '@/app/_ui/charts';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { database } from '@/db';
import { binValues } from '@/lib/core/charts';
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatNumber,
} from '@/lib/core/format';
import { languageName } from '@/lib/core/i18n/locales';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { EvidencePanel } from '../evidence-panel';
import { AppealForm } from './appeal-form';
import { ConfusionMap } from './confusion-map';
import { type DecidableStage, DecideDialog } from './decide-dialog';
import { DecisionList } from './decision-list';
import { DriftTable } from './drift-table';
import { readWorkerPage, type WorkerPage } from './read-worker-page';
import { ScoreTimeline } from './score-timeline';
import { Signals } from './signals';
import { StageWork } from './stage-work';
import { TargetTable } from './target-table';

type Props = PageProps<'/projects/[project]/crowd/[worker]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await pageProject((await params).project, 'crowd.read');
  return { title: 'Worker' };
}

export default async function Worker({ params }: Props) {
  const { project: slug, worker } = await params;
  const { project, actor } = await pageProject(slug, 'crowd.read');
  if (!looksLikeId(worker)) notFound();
  const page = await readWorkerPage(database(), actor, project, worker);
  if (!page) notFound();
  const { person, stages, work, checks, exams, decisions } = page;
  const readOnly = project.state === 'archived';
  return (
    <Page>
      <PageHeader
        title={person.name}
        facts={<Facts person={person} />}
        description={originOf(person)}
        more={
          <ButtonLink href={`/projects/${project.slug}/crowd/compare?a=${person.id}`}>Compare</ButtonLink>
        }
        action={
          person.isMember &&
          !readOnly && (
            <DecideDialog
              slug={project.slug}
              workerId={person.id}
              name={person.name}
              stages={decidable(page)}
            />
          )
        }
      />
      {decisions.map(
        (decision) =>
          decision.appeal &&
          !decision.appeal.outcome && (
            <OpenAppeal key={decision.id} slug={project.slug} decision={decision} readOnly={readOnly} />
          ),
      )}
      <Numbers page={page} />
      <Panel title="Stages" description="Hidden checks in ordinary batches. Exams are not included." flush>
        <StageWork stages={stages} work={work} checks={checks} exams={exams} evidence={page.evidence} />
      </Panel>
      <Panel
        title="Signals"
        description="Findings of all rules in the newest work, including inactive rules."
        flush
      >
        <Signals signals={page.signals} stages={stages} />
      </Panel>
      <EvidencePanel {...page} />
      <Timelines page={page} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Panel title="Drift" description="Scores of hidden checks, with 95 % intervals." flush>
          <DriftTable stages={stages} checks={checks} />
        </Panel>
        <Panel title="Confusion">
          <ConfusionMap checks={checks.filter(isForm(stages))} nameOf={page.nameOf} />
        </Panel>
      </div>
      <div className="grid items-start gap-6 min-[100rem]:grid-cols-2">
        <Panel title="Attributes and parts" description="Checks and exams together." flush>
          <TargetTable stages={stages} checks={checks} nameOf={page.nameOf} />
        </Panel>
        <Panel title="Decisions and messages" description="As shown to the worker." flush>
          {decisions.length ? (
            <DecisionList decisions={decisions} stages={stages} />
          ) : (
            <EmptyState title="No decisions yet">
              Hints, refreshers, pauses and appeals appear here.
            </EmptyState>
          )}
        </Panel>
      </div>
      <Times page={page} />
    </Page>
  );
}

const isForm = (stages: WorkerPage['stages']) => {
  const forms = new Set(stages.filter(({ kind }) => kind === 'attributes').map(({ id }) => id));
  return ({ stageId }: WorkerPage['checks'][number]) => forms.has(stageId);
};

/** The stages for the decision dialog, with the cost of asking other workers. */
function decidable({ stages, work, again }: WorkerPage): DecidableStage[] {
  return stages.map(({ id, name }) => {
    const cost = again.get(id);
    return {
      id,
      name,
      standing: work.find((each) => each.stageId === id)?.standing ?? 'active',
      pausedTargets: work.find((each) => each.stageId === id)?.pausedTargets ?? [],
      again: cost?.answers
        ? `${formatCount(cost.answers, 'item')} since the last good check, ${formatMoney(cost.amountMicro, cost.currency)}`
        : null,
    };
  });
}

interface OpenAppealProps {
  slug: string;
  decision: WorkerPage['decisions'][number];
  readOnly: boolean;
}

function OpenAppeal({ slug, decision, readOnly }: OpenAppealProps) {
  if (!decision.appeal) return null;
  return (
    <Panel
      title="Open appeal"
      description={`Against: ${decision.verdict}, ${formatDateTime(decision.at)} UTC`}
      className="border-warn"
    >
      <div className="grid gap-6 lg:grid-cols-2">
        <div className="flex max-w-prose flex-col gap-3">
          <blockquote className="border-l-2 border-line-strong pl-3 whitespace-pre-line">
            {decision.appeal.text}
          </blockquote>
          <p className="text-ink-2">Reason given: {decision.reason}</p>
        </div>
        {!readOnly && <AppealForm slug={slug} appealId={decision.appeal.id} />}
      </div>
    </Panel>
  );
}

function Facts({ person }: { person: WorkerPage['person'] }) {
  return (
    <>
      {person.cohort && <Badge>{person.cohort}</Badge>}
      {!person.isMember && <Badge tone="warn">left the project</Badge>}
      {person.consent?.kind === 'withdrawn' && <Badge tone="warn">withdrew</Badge>}
    </>
  );
}

function originOf({ joinedAt, recruiter, consent }: WorkerPage['person']): string {
  const came = recruiter && recruiter !== 'pool' ? `through ${recruiter}` : 'by invitation';
  const since = joinedAt ? `Joined ${formatDate(joinedAt)} ${came}.` : `Recruited ${came}.`;
  if (!consent) return `${since} Has not agreed to the consent text yet.`;
  const did = consent.kind === 'agreed' ? 'Agreed to' : 'Withdrew from';
  return `${since} ${did} consent text ${consent.number} in ${languageName(consent.language, 'en')} on ${formatDate(consent.at)}.`;
}

function Numbers({ page: { person, work, checks } }: { page: WorkerPage }) {
  const items = work.reduce((sum, stage) => sum + stage.items, 0);
  const last = work.reduce<Date | null>(
    (latest, { lastAt }) => (lastAt && (!latest || lastAt > latest) ? lastAt : latest),
    null,
  );
  const money = (micro: bigint) => (person.currency ? formatMoney(micro, person.currency) : '–');
  return (
    <StatStrip>
      <Stat label="Items" value={formatNumber(items)} />
      <Stat label="Checks" value={formatNumber(checks.filter((check) => check.kind === 'work').length)} />
      <Stat label="Earned" value={money(person.earnedMicro)} />
      <Stat label="Paid out" value={money(person.paidMicro)} />
      <Stat label="Last answer" value={formatDate(last)} />
    </StatStrip>
  );
}

function Timelines({ page: { stages, checks, decisions, barOfStage } }: { page: WorkerPage }) {
  const drawn = stages.filter((stage) => checks.some((check) => check.stageId === stage.id));
  if (drawn.length === 0) return null;
  return (
    <Panel
      title="Scores over time"
      description="For forms, the score is F1, the harmonic mean of precision and recall."
    >
      <div className="grid gap-6 lg:grid-cols-2 min-[100rem]:grid-cols-3">
        {drawn.map((stage) => (
          <ScoreTimeline
            key={stage.id}
            title={stage.name}
            bar={barOfStage(stage)}
            checks={checks
              .filter((check) => check.stageId === stage.id && check.at)
              .map((check) => ({
                id: check.id,
                at: check.at as Date,
                level: check.score?.level ?? check.score?.iou ?? 0,
                passed: check.passed ?? false,
                isExam: check.kind !== 'work',
              }))}
            moments={decisions
              .filter((decision) => decision.stageId === stage.id)
              .map(({ id, at, verdict }) => ({ id, at, verdict }))}
          />
        ))}
      </div>
    </Panel>
  );
}

function Times({ page: { stages, times, work } }: { page: WorkerPage }) {
  const drawn = stages.filter((stage) => times.some((time) => time.stageId === stage.id));
  if (drawn.length === 0) return null;
  return (
    <Panel
      title="Time per item"
      description="Active seconds. The mark is the median of all workers in the stage."
    >
      <div className="grid gap-6 lg:grid-cols-2 min-[100rem]:grid-cols-3">
        {drawn.map((stage) => {
          const seconds = times.flatMap((time) => (time.stageId === stage.id ? [time.seconds] : []));
          const everybody = work.find((each) => each.stageId === stage.id)?.poolMedianSeconds;
          return (
            <Histogram
              key={stage.id}
              title={stage.name}
              note={`n = ${formatNumber(seconds.length)}`}
              bins={binValues(seconds)}
              axisTitle="Seconds"
              mark={everybody ? { at: everybody, label: formatDuration(everybody) } : undefined}
            />
          );
        })}
      </div>
    </Panel>
  );
}
