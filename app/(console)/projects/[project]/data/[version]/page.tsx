import type { Metadata } from 'next';
import Link from 'next/link';
import { can } from '@/app/_shell/can';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import { findLatestJob, listVersionRuns, listVersions } from '@/lib/services/datasets/versions/list-versions';
import { listNotes } from '@/lib/services/datasets/versions/mark-version';
import { VERIFY_JOB } from '@/lib/services/datasets/versions/verify-version';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { AuditPanel, CollectionPanel, CrowdPanel, SplitPanel, TermsPanel } from './card-panels';
import { DescriptionForm, NoteForm, TagForm } from './mark-forms';
import { IntegrityPanel, LineagePanel, NoteList } from './origin-panels';
import { pageVersion, VersionHeader } from './version-header';

type Props = PageProps<'/projects/[project]/data/[version]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, version } = await params;
  return { title: `Version ${(await pageVersion(project, version)).version.number}` };
}

export default async function Version({ params, searchParams }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name);
  const { access, version, data, path } = page;
  const { project } = access;
  const db = database();
  const [schema, notes, runs, verification, newest] = await Promise.all([
    readProjectSchema(db, project.id),
    listNotes(db, version.id),
    listVersionRuns(db, version.id),
    findLatestJob(db, { projectId: project.id, kind: VERIFY_JOB, title: `Verify version ${version.number}` }),
    listVersions(db, { projectId: project.id }),
  ]);
  const { counts } = version.card;
  const which = { slug: project.slug, number: String(version.number) };
  const mayChange = can('data.freeze', access);
  return (
    <Page>
      <VersionHeader page={page} tab="card" />
      {(await searchParams).same && (
        <p role="status" className="rounded-md bg-accent-soft px-3 py-2">
          Nothing has changed: the same images, labels and split were frozen before as this version. The same
          content has the same hash.
        </p>
      )}
      {version.supersededBy !== null && (
        <p className="rounded-md bg-warn-soft px-3 py-2">
          A newer version replaces this one:{' '}
          <Link href={`${data}/${version.supersededBy}`} className="underline underline-offset-2">
            version {version.supersededBy}
          </Link>
          .
        </p>
      )}
      <StatStrip>
        <Stat label="Images" value={formatNumber(version.images)} />
        <Stat label="Labels" value={formatNumber(version.labels)} />
        <Stat label="Attribute forms" value={formatNumber(counts.forms)} />
        <Stat label="Object outlines" value={formatNumber(counts.outlines)} />
        <Stat label="Part and attribute masks" value={formatNumber(counts.masks)} />
        {counts.instances !== undefined && counts.instances !== counts.masks && (
          <Stat label="Instances in these masks" value={formatNumber(counts.instances)} />
        )}
        {(counts.stuffRegions ?? 0) > 0 && (
          <Stat label="Stuff regions" value={formatNumber(counts.stuffRegions ?? 0)} />
        )}
        {(counts.crowdRegions ?? 0) > 0 && (
          <Stat label="Crowd and ignore regions" value={formatNumber(counts.crowdRegions ?? 0)} />
        )}
        {(['occluded', 'truncated'] as const).map(
          (flag) =>
            counts.flags?.[flag] !== undefined && (
              <Stat
                key={flag}
                label={flag === 'occluded' ? 'Occluded' : 'Truncated'}
                value={formatNumber(counts.flags[flag])}
              />
            ),
        )}
        <Stat label="Images without labels" value={formatNumber(counts.images - counts.labelled)} />
      </StatStrip>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <CollectionPanel card={version.card} />
          <AuditPanel card={version.card} />
          <SplitPanel card={version.card} classes={schema?.classes ?? []} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <CrowdPanel card={version.card} />
          <TermsPanel card={version.card} licence={version.licence} hash={version.hash} />
          <IntegrityPanel
            slug={project.slug}
            number={version.number}
            job={verification}
            mayVerify={mayChange}
          />
          <LineagePanel
            path={path}
            home={`/projects/${project.slug}`}
            exports={version.exports}
            runs={runs}
          />
          {mayChange && (
            <Panel title="Tags and description">
              <div className="flex flex-col gap-4">
                <TagForm {...which} tags={version.tags} />
                <DescriptionForm {...which} description={version.description} />
              </div>
            </Panel>
          )}
          <Panel title="Notes">
            <div className="flex flex-col gap-4">
              <NoteList notes={notes} data={data} />
              {mayChange && (
                <NoteForm
                  {...which}
                  newer={newest.map(({ number }) => number).filter((number) => number > version.number)}
                />
              )}
            </div>
          </Panel>
        </div>
      </div>
    </Page>
  );
}
