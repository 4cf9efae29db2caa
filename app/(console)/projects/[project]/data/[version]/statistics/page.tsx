import type { Metadata } from 'next';
import Link from 'next/link';
import { ActionButton } from '@/app/_shell/action-button';
import { isActiveJob, JobPanel } from '@/app/_shell/job-panel';
import { buttonStyle } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { State } from '@/app/_ui/state';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { Tone } from '@/app/_ui/tone';
import { database } from '@/db';
import { formatCount, formatNumber, formatPercent } from '@/lib/core/format';
import type { Finding, FindingKind, Statistics } from '@/lib/core/statistics';
import { findLatestJob } from '@/lib/services/datasets/versions/list-versions';
import { listVersionPictures, type VersionPicture } from '@/lib/services/datasets/versions/open-version';
import { STATISTICS_JOB, statisticsTitle } from '@/lib/services/datasets/versions/version-statistics';
import { measure } from '../actions';
import { pageVersion, VersionHeader } from '../version-header';
import { AttributeCharts, ClassCharts, ClassifierPanel } from './label-charts';
import { loadStatistics } from './load-statistics';
import { PartCharts } from './part-charts';
import { RegionPanel } from './region-panel';

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
  const pictures = await listVersionPictures(database(), {
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
      <RegionPanel found={found} />
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
        {totals.partInstances !== totals.partMasks && (
          <Stat label="Part instances" value={formatNumber(totals.partInstances)} />
        )}
        {totals.stuffRegions > 0 && <Stat label="Stuff regions" value={formatNumber(totals.stuffRegions)} />}
        {totals.crowdRegions > 0 && (
          <Stat label="Crowd and ignore regions" value={formatNumber(totals.crowdRegions)} />
        )}
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
        {['classes', 'objects', 'attributes', 'parts', 'flags', 'sizes', 'findings'].map((of) => (
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
  const job = await findLatestJob(database(), {
    projectId: access.project.id,
    kind: STATISTICS_JOB,
    title: statisticsTitle(version.number),
  });
  const compute = (
    <ActionButton variant="primary" act={measure.bind(null, access.project.slug, String(version.number))}>
      Compute statistics
    </ActionButton>
  );
  return (
    <Page>
      <VersionHeader page={page} tab="statistics" />
      {job && (isActiveJob(job) || job.state !== 'done') ? (
        <JobPanel job={job} fallback={compute} />
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

interface FindingPanelProps {
  findings: readonly Finding[];
  pictures: readonly VersionPicture[];
  slug: string;
  path: string;
}

const tones: Record<FindingKind, Tone> = { missing: 'neutral', contradictory: 'bad', 'near-empty': 'warn' };

/** Pictures of a finding that are shown; all of the first hundred are in the file. */
const SHOWN = 12;

/** Labels that are missing, contradict each other or are hardly there, with the images they are in. */
function FindingPanel({ findings, pictures, slug, path }: FindingPanelProps) {
  const byName = new Map(pictures.map((picture) => [picture.name, picture]));
  return (
    <section id="findings">
      <Panel
        title="Missing and contradictory labels"
        description="Select a kind to see its images. Fix them in the project and freeze a new version."
        flush
      >
        {findings.length === 0 ? (
          <EmptyState title="No missing or contradictory labels">
            All parts and forms are annotated, and no labels contradict each other.
          </EmptyState>
        ) : (
          findings.map((finding) => (
            <details key={finding.id} className="border-b border-line last:border-b-0">
              <summary className="flex min-h-10 flex-wrap items-center gap-x-4 px-4 py-1.5 hover:bg-hover">
                <State state={finding.kind} tone={tones[finding.kind]} className="w-28 text-xs" />
                <span className="w-56 font-medium">{finding.title}</span>
                <span className="w-40 text-ink-2 tabular-nums">
                  {formatNumber(finding.count)} in {formatCount(finding.images, 'image')}
                </span>
                <span className="min-w-0 flex-1 basis-72 text-xs text-ink-3">{finding.description}</span>
              </summary>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3 px-4 pb-4">
                {finding.examples.slice(0, SHOWN).map(({ image, cases }) => (
                  <li key={image}>
                    <Example image={image} cases={cases} picture={byName.get(image)} slug={slug} />
                  </li>
                ))}
              </ul>
              {finding.images > SHOWN && (
                <p className="px-4 pb-4 text-xs text-ink-3">
                  {formatNumber(finding.images - SHOWN)} more;{' '}
                  <a href={`${path}/statistics/file?of=findings`} download className="underline">
                    the first hundred of each kind as CSV
                  </a>
                  .
                </p>
              )}
            </details>
          ))
        )}
      </Panel>
    </section>
  );
}

interface ExampleProps {
  image: string;
  cases: string[];
  picture: VersionPicture | undefined;
  slug: string;
}

function Example({ image, cases, picture, slug }: ExampleProps) {
  const href = picture
    ? `/projects/${slug}/images/${picture.id}`
    : `/projects/${slug}/images?text=${encodeURIComponent(image)}`;
  return (
    <Link href={href} className="flex flex-col gap-1">
      <Thumbnail src={picture?.thumbnail} alt={image} width={128} height={128} />
      <span className="line-clamp-2 text-xs">{cases.join(', ')}</span>
      <span className="truncate text-xs text-ink-3">{image}</span>
    </Link>
  );
}
