import type { Metadata } from 'next';
import { ClientMessages } from '@/app/_i18n/translated';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { LiveRefresh } from '@/app/(console)/jobs/job-actions';
import { encodeCursor } from '@/app/api/_http/fields';
import { AuditLabel } from '@/app/api/v1/audit-fields';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import type { DatasetSchema } from '@/lib/core/schema';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getAuditLabel } from '@/lib/services/curation/audit/get-audit-label';
import { countQueue, listQueue, queueCounts } from '@/lib/services/curation/audit/queue';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { listSlices } from '@/lib/services/images/slices';
import { rateSoon } from '@/lib/services/jobs/enqueue';
import { QueueViewer } from './_viewer/queue-viewer';
import { AuditHead } from './audit-page';
import { QueueFilters, queueQuery, readQueueFilter } from './queue-filters';
import { RateButton } from './rate-button';

export const metadata: Metadata = { title: 'Audit' };

type Props = PageProps<'/projects/[project]/audit'>;

export default async function Audit({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const filter = { ...readQueueFilter(await searchParams), projectId: project.id };
  const [counts, first, total, stages, schema, slices] = await Promise.all([
    queueCounts(db, project.id),
    listQueue(db, { ...filter, limit: 60 }),
    countQueue(db, filter),
    crowdStages(db, project),
    readProjectSchema(db, project.id),
    filter.sliceId ? listSlices(db, { projectId: project.id }) : [],
  ]);
  const slice = slices.find(({ id }) => id === filter.sliceId);
  if (counts.unrated > 0) await db.transaction((tx) => rateSoon(tx, { projectId: project.id }));
  const [row] = first.rows;
  const firstLabel =
    row && AuditLabel.parse(await getAuditLabel(db, { projectId: project.id, labelId: row.labelId }));
  const path = `/projects/${project.slug}/audit`;
  const { projectId: _, ...chosen } = filter;
  const query = queueQuery(chosen).toString();
  return (
    <div className="flex h-full flex-col gap-3">
      <AuditHead
        slug={project.slug}
        at=""
        title="Audit"
        facts={
          <span className="tabular-nums">
            {formatNumber(counts.labels - counts.reviewed)} labels to review
            {counts.unknown < counts.labels - counts.reviewed &&
              `, about ${formatNumber(counts.expectedErrors)} likely wrong`}
            {counts.unknown > 0 && `; ${formatNumber(counts.unknown)} imported, not audited yet`}
            {counts.unrated > 0 && `; ${formatNumber(counts.unrated)} without a risk yet`}
          </span>
        }
        action={<RateButton slug={project.slug} />}
      />
      <div className="px-6">
        <QueueFilters
          path={path}
          filter={chosen}
          counts={counts}
          stageNames={new Map(stages.map((stage) => [stage.id, stage.name]))}
          targetNames={namesOf(schema)}
          only={filter.imageId ? 'one image' : slice && `the slice "${slice.name}"`}
        />
      </div>
      {row ? (
        <ClientMessages namespaces={['canvas', 'form']}>
          <QueueViewer
            key={query}
            slug={project.slug}
            first={{
              rows: first.rows,
              next: first.next && encodeCursor([first.next.value, first.next.labelId]),
            }}
            firstLabel={firstLabel}
            total={total}
            names={Object.fromEntries(namesOf(schema))}
            query={query}
            closed={
              isOpenIn('audit.decide', project.state) ? undefined : 'The project is archived and read-only.'
            }
          />
        </ClientMessages>
      ) : (
        <NothingWaits path={path} isFiltered={query !== ''} unrated={counts.unrated} labels={counts.labels} />
      )}
    </div>
  );
}

function NothingWaits(props: { path: string; isFiltered: boolean; unrated: number; labels: number }) {
  if (props.unrated > 0)
    return (
      <EmptyState title="Calculating risk">
        {formatNumber(props.unrated)} labels are being rated. They appear here when the job is done, the most
        likely errors first.
        <LiveRefresh />
      </EmptyState>
    );
  if (props.isFiltered)
    return (
      <EmptyState
        title="No label matches"
        action={<ButtonLink href={props.path}>Show the whole queue</ButtonLink>}
      >
        No label to review matches all filters. The queue does not contain reviewed labels.
      </EmptyState>
    );
  if (props.labels === 0)
    return (
      <EmptyState title="No labels yet">
        Labels appear when workers submit batches. Labels with the highest risk come first.
      </EmptyState>
    );
  return (
    <EmptyState
      title="All labels are reviewed"
      action={<ButtonLink href={`${props.path}/samples`}>Audit a sample</ButtonLink>}
    >
      New labels appear here automatically. To estimate the error rate of all labels, audit a random sample.
    </EmptyState>
  );
}

const namesOf = (schema: DatasetSchema | null) =>
  new Map(
    [...(schema?.classes ?? []), ...(schema?.attributes ?? []), ...(schema?.parts ?? [])].map(
      ({ id, name }) => [id, name],
    ),
  );
