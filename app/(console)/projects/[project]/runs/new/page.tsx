import { Snowflake } from 'lucide-react';
import type { Metadata } from 'next';
import { LiveForm } from '@/app/_shell/live-form';
import { ButtonLink } from '@/app/_ui/button';
import { CopyField } from '@/app/_ui/copy-field';
import { EmptyState } from '@/app/_ui/empty-state';
import { FormError } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageOpenProject } from '@/lib/services/access/page';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { placesFor } from '@/lib/services/training/trainers/list-trainers';
import { TrainerNotice } from '../run-table';
import { readAsked, runOf, settingsOf, sweepOf, usualSpec } from './read-wanted';
import { RunFields, SweepFields } from './run-fields';
import { SettingFields } from './setting-fields';
import { SpecPanel } from './spec-panel';

export const metadata: Metadata = { title: 'New run' };

type Props = PageProps<'/projects/[project]/runs/new'>;

export default async function NewRunPage({ params, searchParams }: Props) {
  const { project } = await pageOpenProject((await params).project, 'runs.write');
  const query = await searchParams;
  const versions = await listVersions(database(), { projectId: project.id });
  const asked = readAsked(query);
  const usual = usualSpec(asked);
  const version = versions.find(({ number }) => String(number) === asked.version) ?? versions[0];
  const header = (
    <PageHeader
      title="New run"
      description="Choose a model and a version. The page shows the spec and the estimated time; training starts when you confirm."
    />
  );
  if (!version || !usual)
    return (
      <Page>
        {header}
        <Panel flush>
          <EmptyState
            title="No version to train on"
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
  const places = await placesFor(database(), usual.resources);
  const run = runOf({ ...asked, version: String(version.number) }, set);
  const issue = run.success ? null : run.error.issues[0];
  return (
    <Page>
      {header}
      {asked.launcher === 'local' && <TrainerNotice />}
      <div className="grid items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <LiveForm className="flex flex-col gap-6">
          <Panel title="What and how">
            <div className="flex flex-col gap-4">
              <RunFields asked={asked} versions={versions} places={places} />
            </div>
          </Panel>
          <Panel title="Settings" description="Empty is the preset's value, in grey.">
            <SettingFields key={`${asked.preset} ${asked.arch} ${asked.method}`} usual={usual} set={set} />
          </Panel>
          <Panel
            title="Sweep"
            description="Values by commas: every combination is trained with every seed, as far as the budget goes."
          >
            <SweepFields key={`${asked.preset} ${asked.arch} ${asked.method}`} asked={asked} usual={usual} />
          </Panel>
        </LiveForm>
        <div className="flex min-w-0 flex-col gap-6">
          {run.success ? (
            <SpecPanel slug={project.slug} run={run.data} version={version} usual={usual} />
          ) : (
            <Panel title="Run">
              <FormError>{issueWords(issue)}</FormError>
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
                ...(asked.launcher === 'local' ? [] : [`--launcher ${asked.launcher}`]),
                ...Object.entries(set).map(([path, value]) => `--set ${inShell(`${path}=${value}`)}`),
                ...Object.entries(sweepOf(asked)).map(
                  ([axis, tried]) => `--sweep ${axis}=${tried.join(',')}`,
                ),
                ...(asked.budgetRuns ? [`--budget-runs ${asked.budgetRuns}`] : []),
                ...(asked.budgetMinutes ? [`--budget-minutes ${asked.budgetMinutes}`] : []),
                ...(asked.name ? [`--name ${inShell(asked.name)}`] : []),
              ].join(' ')}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

/** One word for a shell, whatever is in it. */
const inShell = (text: string): string =>
  /^[\w.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** What is wrong with the fields, in the words of the fields. */
function issueWords(issue: { path: PropertyKey[]; message: string } | null | undefined): string {
  if (issue?.path[0] === 'seeds') return 'Seeds are 1 to 20 whole numbers from 0, divided by commas.';
  if (issue?.path[0] === 'sweep' && issue.path.length > 1)
    return `Values of a sweep are at most 20 numbers divided by commas, within the range of ${String(issue.path[1])}.`;
  if (issue?.path[0] === 'budget') return 'A budget is 1 to 200 runs, and minutes above 0.';
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}
