import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { Suspense } from 'react';
import { z } from 'zod';
import { JobPanel } from '@/app/_shell/job-panel';
import { LiveForm } from '@/app/_shell/live-form';
import { ReadingNotice } from '@/app/_shell/reading';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { pageOpenProject } from '@/lib/services/access/page';
import { FREEZE_JOB, type Frozen } from '@/lib/services/datasets/freeze/freeze-version';
import { listColumns } from '@/lib/services/datasets/freeze/members';
import { listFilters } from '@/lib/services/images/filters';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { getJob } from '@/lib/services/jobs';
import { TableForm } from './freeze-form';
import { ClassFields, filterOf, readAsked, SplitFields, splitOf } from './plan-fields';
import { PlanPreview } from './plan-preview';

export const metadata: Metadata = { title: 'Freeze version' };

type Props = PageProps<'/projects/[project]/data/freeze'>;

export default async function Freeze({ params, searchParams }: Props) {
  const access = await pageOpenProject((await params).project, 'data.freeze');
  const { project, actor } = access;
  const query = await searchParams;
  const path = `/projects/${project.slug}/data`;
  if (z.uuid().safeParse(query.job).success)
    return <Freezing path={path} plan={addressOf(query)} jobId={query.job as string} access={access} />;
  const db = database();
  const [schema, saved, columns] = await Promise.all([
    readProjectSchema(db, project.id),
    listFilters(db, { projectId: project.id, ownerId: actor.userId }),
    listColumns(db, project.id),
  ]);
  const asked = readAsked(query);
  const split = splitOf(asked);
  const names = new Map(schema?.classes.map(({ id, name }) => [id, name]));
  const images = [
    { value: 'all', label: 'All active images' },
    { value: 'labelled', label: 'Images with labels only' },
    ...saved.map(({ id, name }) => ({ value: `saved:${id}`, label: `Saved filter: ${name}` })),
  ];
  return (
    <Page>
      <PageHeader
        title="Freeze version"
        description="Choose the images and the split. The preview shows the result. Nothing is saved until you freeze."
      />
      <div className="grid items-start gap-6 lg:grid-cols-[19rem_minmax(0,1fr)]">
        <Panel title="Content and split">
          <div className="flex flex-col gap-4">
            <LiveForm className="flex flex-col gap-4">
              <Field label="Images" hint="Excluded and broken images are never frozen.">
                {(control) => (
                  <Select {...control} name="images" defaultValue={asked.images} options={images} />
                )}
              </Field>
              <ClassFields classes={schema?.classes ?? []} chosen={asked.classes} />
              <SplitFields key={asked.split} asked={asked} columns={columns} />
            </LiveForm>
            {asked.split === 'file' && (
              <TableForm slug={project.slug} plan={addressOf(query)} isGiven={asked.table !== undefined} />
            )}
          </div>
        </Panel>
        <div className="flex min-w-0 flex-col gap-6">
          {split ? (
            <Suspense
              key={JSON.stringify([asked.images, asked.classes, split])}
              fallback={
                <ReadingNotice
                  text="Reading images, comparing lookalikes and assigning splits …"
                  className="h-96"
                />
              }
            >
              <PlanPreview
                slug={project.slug}
                projectId={project.id}
                filter={filterOf(asked, saved)}
                split={split}
                nameOf={(id) => names.get(id) ?? id}
                plan={addressOf(query)}
              />
            </Suspense>
          ) : (
            <Panel title="Preview">
              <EmptyState title="Incomplete split">
                {asked.split === 'file' && 'Add a table of names and splits on the left.'}
                {asked.split === 'column' && 'Choose the column with the split of each image.'}
                {asked.split !== 'file' && asked.split !== 'column' && 'Set a share for at least one split.'}
              </EmptyState>
            </Panel>
          )}
        </div>
      </div>
    </Page>
  );
}

/** The query of the plan, without the job. */
const addressOf = (query: Record<string, string | string[] | undefined>): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value = []]) =>
      name === 'job' ? [] : [value].flat().map((each) => [name, each]),
    ),
  ).toString();

interface FreezingProps {
  path: string;
  plan: string;
  jobId: string;
  access: Awaited<ReturnType<typeof pageOpenProject>>;
}

async function Freezing({ path, plan, jobId, access }: FreezingProps) {
  const { job } = await getJob(database(), access.actor, { jobId, limit: 1 }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  if (job.kind !== FREEZE_JOB) notFound();
  if (job.state === 'done') {
    const { number, isNew } = job.result as unknown as Frozen;
    redirect(`${path}/${number}${isNew ? '' : '?same=1'}`);
  }
  return (
    <Page narrow>
      <PageHeader
        title="Freezing"
        description="The version is a snapshot of this moment. Later work is not included. You can leave this page."
      />
      <JobPanel
        job={job}
        fallback={<ButtonLink href={`${path}/freeze?${plan}`}>Back to the plan</ButtonLink>}
      />
    </Page>
  );
}
