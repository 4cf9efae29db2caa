import { Snowflake } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { listVersions } from '@/lib/datasets/versions/list-versions';
import { LiveForm } from '../../data/freeze/live-form';
import { readAsked, runOf, settingsOf, usualSpec } from './read-wanted';
import { RunFields } from './run-fields';
import { SettingFields } from './setting-fields';
import { SpecPanel } from './spec-panel';

export const metadata: Metadata = { title: 'New run' };

type Props = PageProps<'/projects/[project]/runs/new'>;

export default async function NewRunPage({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'runs.write');
  const query = await searchParams;
  const versions = await listVersions(database(), { projectId: project.id });
  const asked = readAsked(query);
  const usual = usualSpec(asked);
  const version = versions.find(({ number }) => String(number) === asked.version) ?? versions[0];
  const header = (
    <PageHeader
      title="New run"
      description="Choose what is trained on what. The spec and the time it takes are shown at once; nothing starts until you say so."
    />
  );
  if (!version || !usual)
    return (
      <Page>
        {header}
        <Panel flush>
          <EmptyState
            title="There is no version to train on"
            action={
              <ButtonLink
                variant="primary"
                href={`/projects/${project.slug}/data/freeze`}
                icon={<Snowflake aria-hidden />}
              >
                Freeze version
              </ButtonLink>
            }
          >
            A run trains on a frozen version with the splits train, val and test.
          </EmptyState>
        </Panel>
      </Page>
    );
  const set = settingsOf(query, usual);
  const run = runOf({ ...asked, version: String(version.number) }, set);
  const issue = run.success ? null : run.error.issues[0];
  return (
    <Page>
      {header}
      <div className="grid items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <LiveForm className="flex flex-col gap-6">
          <Panel title="What and how">
            <div className="flex flex-col gap-4">
              <RunFields asked={asked} versions={versions} />
            </div>
          </Panel>
          <Panel title="Settings" description="Empty is the preset's value, in grey.">
            <SettingFields key={`${asked.preset} ${asked.arch} ${asked.method}`} usual={usual} set={set} />
          </Panel>
        </LiveForm>
        <div className="flex min-w-0 flex-col gap-6">
          {run.success ? (
            <SpecPanel slug={project.slug} run={run.data} version={version} />
          ) : (
            <Panel title="Run">
              <FormError>
                {issue?.path[0] === 'seeds'
                  ? 'Seeds are 1 to 20 whole numbers from 0, divided by commas.'
                  : `${issue?.path.join('.')}: ${issue?.message}`}
              </FormError>
            </Panel>
          )}
          {run.success && (
            <CopyField
              label="The same from the command line"
              value={[
                `npx tessera train --project ${project.slug} --version ${version.number}`,
                `--preset ${asked.preset} --arch ${asked.arch} --method ${asked.method}`,
                `--seed ${run.data.seeds.join(',')}`,
                ...(asked.classes === 'superclass' ? ['--superclass'] : []),
                ...Object.entries(set).map(([path, value]) => `--set ${path}=${value}`),
              ].join(' ')}
            />
          )}
        </div>
      </div>
    </Page>
  );
}
