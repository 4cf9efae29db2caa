import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatCount } from '@/lib/core/format';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { projectSchema } from '@/lib/services/images/ingest/project-schema';
import { namesIn } from '../../../images/[image]/label-words';
import { Reading } from '../../_reading/reading';
import { LiveForm } from '../../freeze/live-form';
import { pageVersion } from '../page-version';
import { VersionHeader } from '../version-header';
import { VersionChanges } from './version-changes';

export const metadata: Metadata = { title: 'Compare versions' };

type Props = PageProps<'/projects/[project]/data/[version]/compare'>;

export default async function Compare({ params, searchParams }: Props) {
  const { project: slug, version: name } = await params;
  const page = await pageVersion(slug, name);
  const { access, version, data } = page;
  const all = await listVersions(database(), { projectId: access.project.id });
  const others = all.filter(({ number }) => number !== version.number);
  const wanted = Number((await searchParams).with);
  const other =
    others.find(({ number }) => number === wanted) ??
    others.find(({ number }) => number < version.number) ??
    others[0];
  if (!other)
    return (
      <Page>
        <VersionHeader page={page} tab="compare" />
        <Panel>
          <EmptyState
            title="There is no other version"
            action={<ButtonLink href={`${data}/freeze`}>Freeze version</ButtonLink>}
          >
            Once labels have changed, freeze again: this page then shows what came, what went and how far
            masks have moved.
          </EmptyState>
        </Panel>
      </Page>
    );
  const [older, newer] = [version, other].sort((a, b) => a.number - b.number);
  const nameOf = namesIn(await projectSchema(database(), access.project.id));
  const reading = `Reading the labels of both versions, ${formatCount(version.images + other.images, 'image')} in all …`;
  return (
    <Page>
      <VersionHeader page={page} tab="compare" />
      <LiveForm className="w-72">
        <Field label="Compare with">
          {(control) => (
            <Select
              {...control}
              name="with"
              defaultValue={String(other.number)}
              options={others.map(({ number, tags }) => ({
                value: String(number),
                label: [`Version ${number}`, ...tags].join(' · '),
              }))}
            />
          )}
        </Field>
      </LiveForm>
      {older && newer && (
        <Suspense
          key={`${older.number} ${newer.number}`}
          fallback={<Reading text={reading} className="h-96" />}
        >
          <VersionChanges
            reading={reading}
            nameOf={nameOf}
            projectId={access.project.id}
            slug={access.project.slug}
            older={older}
            newer={newer}
          />
        </Suspense>
      )}
    </Page>
  );
}
