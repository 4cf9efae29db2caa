import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LiveForm } from '@/app/_shell/live-form';
import { PAGE_TIMEOUT_MS, ReadingNotice, StillReading } from '@/app/_shell/reading';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError } from '@/app/_ui/forms';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatBytes, formatCount } from '@/lib/core/format';
import { formats } from '@/lib/core/formats';
import type { Check, Options } from '@/lib/core/formats/format';
import { listExports } from '@/lib/services/datasets/exports/list-exports';
import { checkExport, optionsOf } from '@/lib/services/datasets/exports/open-export';
import { waitAtMost } from '@/lib/services/datasets/result-cache';
import { listActiveJobs } from '@/lib/services/datasets/versions/list-versions';
import { measurePictureBytes } from '@/lib/services/datasets/versions/open-version';
import { storage } from '@/lib/services/storage';
import { pageVersion, VersionHeader } from '../version-header';
import { ExportButton } from './export-button';
import { ExportList } from './export-list';
import { chosenOptions, FormatList, OptionFields, optionsFrom } from './format-options';

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
    measurePictureBytes(db, version.id),
  ]);
  const jobs = await listActiveJobs(
    db,
    exports.flatMap(({ jobId, sha256 }) => (jobId && !sha256 ? [jobId] : [])),
  );
  const format = formats.find(({ id }) => id === query.format);
  const options = format && optionsFrom(format, query);
  const reading = `Reading the labels of ${formatCount(version.images, 'image')} to check the format …`;
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
                    {formatCount(version.images, 'image')}, {formatBytes(bytes)} of stored pictures. Exports
                    that copy the pictures have about this size; exports that re-encode or omit them can
                    differ considerably.
                  </p>
                  <Suspense key={JSON.stringify(options)} fallback={<ReadingNotice text={reading} />}>
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
                    label="Command line"
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
                You see its options, what it cannot represent, and what prevents the export, before anything
                is written.
              </EmptyState>
            </Panel>
          )}
          <ExportList exports={exports} jobs={jobs} />
        </div>
      </div>
    </Page>
  );
}

interface ExportCheckProps {
  /** Text that is displayed during the check. */
  reading: string;
  slug: string;
  projectId: string;
  number: number;
  format: { id: string; name: string };
  options: Options;
}

/** Lists what prevents the export or would be lost, and shows the button. */
async function ExportCheck({ reading, slug, projectId, number, format, options }: ExportCheckProps) {
  const wanted = { version: String(number), format: format.id, options: { ...options } };
  const checking = checkExport(database(), storage(), { projectId, ...wanted });
  const check = await waitAtMost(checking, PAGE_TIMEOUT_MS).catch((error) => {
    if (error instanceof TesseraError) return error;
    throw error;
  });
  if (check === null) return <StillReading text={reading} />;
  if (check instanceof TesseraError) return <FormError>{check.message}</FormError>;
  const isRefused = check.refusals.length > 0;
  return (
    <div className="flex flex-col gap-4">
      {isRefused ? <Refusals check={check} name={format.name} /> : <Losses losses={check.losses} />}
      <div>
        <ExportButton slug={slug} wanted={wanted} disabled={isRefused} />
      </div>
    </div>
  );
}

const Refusals = ({ check, name }: { check: Check; name: string }) => (
  <div role="alert" className="flex flex-col gap-3 rounded-md bg-bad-soft px-3 py-2">
    <p className="font-medium text-bad">{name} cannot store this version:</p>
    {check.refusals.map(({ what, count, examples }) => (
      <div key={what}>
        <p>
          {what} <span className="text-ink-2">({formatCount(count, 'case')})</span>
        </p>
        <p className="text-xs wrap-anywhere text-ink-2">
          {[...new Set(examples)].join(', ')}
          {count > examples.length && ' …'}
        </p>
      </div>
    ))}
    <p className="text-xs text-ink-2">
      Choose other options or another format, or fix the data in the project and freeze again.
    </p>
  </div>
);

function Losses({ losses }: { losses: readonly string[] }) {
  if (losses.length === 0) return <p>No losses: the format stores everything in this version.</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">Losses</p>
      <ul className="flex list-disc flex-col gap-0.5 pl-4 text-ink-2">
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </div>
  );
}
