import type { Metadata } from 'next';
import { Suspense } from 'react';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatBytes, formatCount } from '@/lib/core/format';
import { formats } from '@/lib/core/formats';
import { listExports } from '@/lib/services/datasets/exports/list-exports';
import { optionsOf } from '@/lib/services/datasets/exports/open-export';
import { jobsAtWork } from '@/lib/services/datasets/versions/jobs-at-work';
import { pictureBytes } from '@/lib/services/datasets/versions/version-pictures';
import { Reading } from '../../_reading/reading';
import { LiveForm } from '../../freeze/live-form';
import { pageVersion } from '../page-version';
import { VersionHeader } from '../version-header';
import { ExportCheck } from './export-check';
import { ExportList } from './export-list';
import { FormatList } from './format-list';
import { OptionFields } from './option-fields';
import { chosenOptions, optionsFrom } from './read-wanted';

export const metadata: Metadata = { title: 'Export' };

type Props = PageProps<'/projects/[project]/data/[version]/export'>;

export default async function Export({ params, searchParams }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name, 'data.export');
  const { access, version, path } = page;
  const { project } = access;
  const query = await searchParams;
  const db = database();
  const [exports, bytes] = await Promise.all([
    listExports(db, { projectId: project.id, versionId: version.id }),
    pictureBytes(db, version.id),
  ]);
  const jobs = await jobsAtWork(
    db,
    exports.flatMap(({ jobId, sha256 }) => (jobId && !sha256 ? [jobId] : [])),
  );
  const format = formats.find(({ id }) => id === query.format);
  const options = format && optionsFrom(format, query);
  const reading = `Reading the labels of ${formatCount(version.images, 'image')} to see what the format can hold …`;
  return (
    <Page>
      <VersionHeader page={page} tab="export" />
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <FormatList path={`${path}/export`} chosen={format?.id} />
        <div className="flex min-w-0 flex-col gap-6">
          {format && options ? (
            <Panel title={format.name} description={format.summary}>
              <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
                <LiveForm key={format.id} className="flex flex-col gap-4">
                  <input type="hidden" name="format" value={format.id} />
                  <input type="hidden" name="asked" value={format.id} />
                  <OptionFields options={optionsOf(format)} values={options} />
                </LiveForm>
                <div className="flex min-w-0 flex-col gap-4">
                  <p className="text-ink-2">
                    {formatCount(version.images, 'image')}, {formatBytes(bytes)} of stored pictures; formats
                    that copy them are about as large, those that code them anew or leave them out may differ
                    much.
                  </p>
                  <Suspense key={JSON.stringify(options)} fallback={<Reading text={reading} />}>
                    <ExportCheck
                      reading={reading}
                      slug={project.slug}
                      projectId={project.id}
                      number={version.number}
                      format={{ id: format.id, name: format.name }}
                      options={options}
                    />
                  </Suspense>
                </div>
                <div className="lg:col-span-2">
                  <CopyField
                    label="The same from the command line"
                    value={[
                      `npx tessera export ${version.number} --project ${project.slug} --format ${format.id}`,
                      ...chosenOptions(format, options).map(([key, value]) => `--set ${key}=${value}`),
                      `--out ${project.slug}-v${version.number}-${format.id}.zip`,
                    ].join(' ')}
                  />
                </div>
              </div>
            </Panel>
          ) : (
            <Panel>
              <EmptyState title="Choose a format">
                Then you see its options, what it cannot hold of this version, and what stands in the way,
                before anything is written.
              </EmptyState>
            </Panel>
          )}
          <ExportList exports={exports} jobs={jobs} />
        </div>
      </div>
    </Page>
  );
}
