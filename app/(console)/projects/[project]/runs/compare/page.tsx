import type { Metadata } from 'next';
import { LiveForm } from '@/app/_shell/live-form';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { compareRuns, drawingMinutes } from '@/lib/services/training/report/compare-runs';
import { RunTabs } from '../run-table';
import { LabelPanel, MeanBars, StudyPanel, TradeOff } from './panels';
import { ClassTable, ResultTable } from './tables';

export const metadata: Metadata = { title: 'Compare runs' };

/** The newest sweeps; their runs are in the table above all the same. */
const STUDIES = 5;

type Props = PageProps<'/projects/[project]/runs/compare'>;

export default async function Compare({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project);
  const path = `/projects/${project.slug}/runs`;
  const db = database();
  const all = await compareRuns(db, { projectId: project.id });
  const versions = [...new Set(all.rows.map(({ version }) => version))];
  const asked = Number((await searchParams).version) || null;
  const rows = all.rows.filter(({ version }) => asked === null || version === asked);
  const studies = all.studies.filter(({ version }) => asked === null || version === asked).slice(0, STUDIES);
  const labels = all.labels.filter(({ version }) => asked === null || version === asked).slice(0, STUDIES);
  const minutes = await drawingMinutes(
    db,
    labels.map(({ versionId }) => versionId),
  );
  return (
    <Page>
      <PageHeader
        title="Compare runs"
        description="Finished runs by architecture and method. Runs that differ in nothing but their seed are one row: its interval is Student's over seeds, or, of a single run, Wilson's over test images."
      />
      <RunTabs path={path} current="compare" />
      {versions.length > 1 && (
        <LiveForm className="flex">
          <Field label="Version">
            {(control) => (
              <Select
                {...control}
                name="version"
                defaultValue={asked ?? ''}
                className="w-56"
                options={[
                  { value: '', label: 'All versions' },
                  ...versions.map((number) => ({ value: String(number), label: `Version ${number}` })),
                ]}
              />
            )}
          </Field>
        </LiveForm>
      )}
      <Panel
        title="Accuracy"
        description="Rows of different versions, presets or settings are not comparable with each other."
        actions={rows.length > 0 && <CsvLink href={`${path}/compare/csv`} />}
        flush
      >
        {rows.length === 0 ? (
          <EmptyState
            title="No run has been tested yet"
            action={
              <ButtonLink variant="primary" href={path}>
                Go to runs
              </ButtonLink>
            }
          >
            Train the baseline and a part model on the same version with the same preset, each with at least
            three seeds: then a difference can be distinguished from random variation.
          </EmptyState>
        ) : (
          <ResultTable rows={rows} path={path} />
        )}
      </Panel>
      {studies.map((study) => (
        <StudyPanel key={study.id} study={study} path={path} />
      ))}
      {labels.map((curves) => (
        <LabelPanel
          key={curves.key}
          curves={curves}
          minutes={minutes.get(curves.versionId) ?? null}
          path={path}
        />
      ))}
      {rows.length > 0 && (
        <>
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <MeanBars rows={rows} />
            <TradeOff rows={rows} path={path} />
          </div>
          <ClassTable rows={rows} classes={all.classes} />
        </>
      )}
    </Page>
  );
}
