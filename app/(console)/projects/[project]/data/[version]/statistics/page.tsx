import type { Metadata } from 'next';
import { buttonStyle } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { database } from '@/db';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { Statistics } from '@/lib/core/statistics';
import { STATISTICS_JOB, statisticsTitle } from '@/lib/services/datasets/statistics/version-statistics';
import { newestJob } from '@/lib/services/datasets/versions/newest-job';
import { versionPictures } from '@/lib/services/datasets/versions/version-pictures';
import { isAtWork, JobPanel } from '../../_job/job-panel';
import { ActButton } from '../act-button';
import { measure } from '../actions';
import { pageVersion } from '../page-version';
import { VersionHeader } from '../version-header';
import { AttributeCharts } from './attribute-charts';
import { ClassCharts } from './class-charts';
import { ClassifierPanel } from './classifier-panel';
import { FindingPanel } from './finding-panel';
import { loadStatistics } from './load-statistics';
import { PartCharts } from './part-charts';

export const metadata: Metadata = { title: 'Statistics' };

type Props = PageProps<'/projects/[project]/data/[version]/statistics'>;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export default async function VersionStatistics({ params, searchParams }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name);
  const { access, version, path } = page;
  const found = await loadStatistics(page);
  if (!found) return <NotMeasured page={page} />;
  const query = await searchParams;
  const pictures = await versionPictures(database(), {
    versionId: version.id,
    names: found.findings.flatMap(({ examples }) => examples.map(({ image }) => image)),
  });
  return (
    <Page>
      <VersionHeader page={page} tab="statistics" />
      <Summary found={found} path={path} />
      <FindingPanel findings={found.findings} pictures={pictures} slug={access.project.slug} path={path} />
      <ClassCharts found={found} />
      <AttributeCharts found={found} split={one(query.split)} path={`${path}/statistics`} />
      <ClassifierPanel found={found} />
      <PartCharts found={found} className={one(query.class)} path={`${path}/statistics`} />
    </Page>
  );
}

function Summary({ found, path }: { found: Statistics; path: string }) {
  const { totals, classifier, findings } = found;
  const count = (kind: string) =>
    findings.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.count, 0);
  const { accuracy } = classifier;
  return (
    <>
      <StatStrip>
        <Stat label="Images" value={formatNumber(totals.images)} />
        <Stat label="Attribute forms" value={formatNumber(totals.forms)} />
        <Stat label="Objects" value={formatNumber(totals.objects)} />
        <Stat label="Part masks" value={formatNumber(totals.partMasks)} />
        <Stat label="Attribute masks" value={formatNumber(totals.attributeMasks)} />
        <Stat label="Missing labels" value={formatNumber(count('missing'))} href="#findings" />
        <Stat label="Contradictory labels" value={formatNumber(count('contradictory'))} href="#findings" />
        {accuracy && (
          <Stat
            label="Class from attributes"
            value={formatPercent(accuracy.value)}
            interval={`${formatNumber(accuracy.low * 100, 1)}–${formatNumber(accuracy.high * 100, 1)}`}
            n={accuracy.n}
          />
        )}
      </StatStrip>
      <div className="flex gap-2">
        <a href={`${path}/statistics/file?of=all`} download className={buttonStyle({ size: 'small' })}>
          All figures as JSON
        </a>
        {['classes', 'attributes', 'parts', 'sizes', 'findings'].map((of) => (
          <a
            key={of}
            href={`${path}/statistics/file?of=${of}`}
            download
            className={buttonStyle({ variant: 'quiet', size: 'small' })}
          >
            {of} CSV
          </a>
        ))}
      </div>
    </>
  );
}

async function NotMeasured({ page }: { page: Awaited<ReturnType<typeof pageVersion>> }) {
  const { access, version } = page;
  const job = await newestJob(database(), {
    projectId: access.project.id,
    kind: STATISTICS_JOB,
    title: statisticsTitle(version.number),
  });
  const compute = (
    <ActButton variant="primary" act={measure.bind(null, access.project.slug, String(version.number))}>
      Compute statistics
    </ActButton>
  );
  return (
    <Page>
      <VersionHeader page={page} tab="statistics" />
      {job && (isAtWork(job) || job.state !== 'done') ? (
        <JobPanel job={job} otherwise={compute} />
      ) : (
        <Panel>
          <EmptyState title="Not computed yet" action={compute}>
            One pass over {formatNumber(version.images)} images: counts, correlations, sizes and places of
            masks, missing and contradictory labels. A version never changes, so this is done once.
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}
