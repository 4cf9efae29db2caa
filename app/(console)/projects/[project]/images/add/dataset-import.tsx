'use client';

import { useCallback, useEffect, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import { Button, ButtonLink } from '@/app/_ui/button';
import { Field, FormError, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { CsvLink, SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import type { AnnotationCounts, CategoryCount, Mapping } from '@/lib/core/formats/mapping';
import { MappingStep } from './mapping-step';
import type { Found, Report } from './use-upload';

const PICTURES = 'pictures';

type DatasetStepsProps = {
  found: Found;
  project: string;
  problem: string | undefined;
  onBegin: (found: Found, format: string | null, mapping?: Mapping) => Promise<void>;
  onCancel: () => void;
};

/** Chooses the format first, then the mapping of the categories. */
export function DatasetSteps({ found, project, problem, onBegin, onCancel }: DatasetStepsProps) {
  const [format, setFormat] = useState<string>();
  if (format === undefined)
    return (
      <DatasetChoice
        found={found}
        problem={problem}
        onBegin={async (chosen) => (chosen === null ? onBegin(found, null) : setFormat(chosen))}
        onCancel={onCancel}
      />
    );
  return (
    <MappingStep
      project={project}
      upload={found.id}
      format={format}
      because={found.guesses.find((guess) => guess.format === format)?.because}
      problem={problem}
      onImport={(mapping) => onBegin(found, format, mapping)}
      onCancel={onCancel}
    />
  );
}

type DatasetChoiceProps = {
  found: Found;
  problem: string | undefined;
  onBegin: (format: string | null) => Promise<void>;
  onCancel: () => void;
};

/** Shows the detected format and the reason before anything is imported. */
function DatasetChoice({ found, problem, onBegin, onCancel }: DatasetChoiceProps) {
  const [format, setFormat] = useState(found.isTooLarge ? '' : (found.guesses[0]?.format ?? PICTURES));
  const [isStarting, setIsStarting] = useState(false);
  const guess = found.guesses.find((each) => each.format === format);
  const begin = async () => {
    setIsStarting(true);
    await onBegin(guess ? guess.format : null);
    setIsStarting(false);
  };
  return (
    <Panel title={found.isTooLarge ? 'Unknown format' : `This looks like ${found.guesses[0]?.name}`}>
      <div className="flex flex-col gap-4">
        <Field label="Read the files as">
          {(control) => (
            <Select
              {...control}
              value={format}
              onChange={(event) => setFormat(event.target.value)}
              options={[
                ...(found.isTooLarge ? [{ value: '', label: 'Choose a format' }] : []),
                ...found.guesses.map(({ format: value, name }) => ({ value, label: name })),
                { value: PICTURES, label: 'Images only, without labels' },
              ]}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1 text-ink-2">
          <p className="break-words">
            {found.isTooLarge && 'The label files are too large to detect the format. '}
            {guess?.because && `Reason: ${guess.because}.`}
            {format === PICTURES && 'Imports all images and skips label files.'}
          </p>
          {guess && (
            <p>
              A draft without images adopts the schema of the dataset. Other projects keep their own schema;
              labels that do not fit it are counted and left out. Existing images get labels only if they have
              none.
            </p>
          )}
        </div>
        <FormError>{problem}</FormError>
        <div className="flex gap-2">
          <Button variant="primary" onClick={begin} disabled={isStarting || format === ''}>
            {format !== PICTURES ? 'Continue' : 'Add images only'}
          </Button>
          <Button onClick={onCancel} disabled={isStarting}>
            Choose other files
          </Button>
        </div>
      </div>
    </Panel>
  );
}

type Reason = { reason: string; count: number; first: string };
type Counts = {
  isNewSchema: boolean;
  images: Record<'total' | 'accepted' | 'duplicate' | 'refused' | 'before', number>;
  labels: Record<'total' | 'written' | 'known' | 'leftOut', number>;
  annotations: AnnotationCounts;
  categories: CategoryCount[];
  reasons: Reason[];
  notes: string[];
};
type Job = { state: string; done: number; text: string; error: string | null; result: Counts | null };

/** Milliseconds between two requests for the state of an import. */
const PAUSE = 1000;

type DatasetReportProps = { project: string; report: Report; onMore: () => void };

/** Progress of an import, and its report at the end. */
export function DatasetReport({ project, report, onMore }: DatasetReportProps) {
  const { job, problem, isOver } = useJob(report.jobId);
  const counts = job?.result ?? null;
  return (
    <>
      <Panel>
        <Progress
          title="Importing images and labels"
          label="Importing images and labels"
          state={job?.state ?? 'running'}
          done={job?.done ?? 0}
          total={counts?.images.total ?? null}
          text={isOver ? '' : 'You can leave this page. The progress is shown in the job tray.'}
          cancel={
            <Button size="small" onClick={() => callApi('POST', `/api/v1/jobs/${report.jobId}/cancel`)}>
              Cancel
            </Button>
          }
        />
      </Panel>
      <FormError>{problem ?? job?.error ?? undefined}</FormError>
      {counts && <Outcome counts={counts} csv={`/api/v1/projects/${project}/uploads/${report.id}/report`} />}
      {isOver && (
        <div className="flex gap-2">
          <ButtonLink variant="primary" href={`/projects/${project}/images`}>
            Open images
          </ButtonLink>
          <ButtonLink href={`/projects/${project}/audit`}>Audit the labels</ButtonLink>
          <Button onClick={onMore}>Add more</Button>
          <ButtonLink variant="quiet" href={`/jobs/${report.jobId}`}>
            Job log
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function Outcome({ counts, csv }: { counts: Counts; csv: string }) {
  const { images, labels, annotations, categories, reasons, notes, isNewSchema } = counts;
  return (
    <>
      {isNewSchema && <p className="text-ink-2">The project has adopted the schema of the dataset.</p>}
      <StatStrip>
        <Stat label="Images" value={formatNumber(images.total)} />
        <Stat label="Accepted" value={formatNumber(images.accepted)} />
        <Stat label="Already imported" value={formatNumber(images.duplicate + images.before)} />
        <Stat label="Refused" value={formatNumber(images.refused)} />
      </StatStrip>
      <StatStrip>
        <Stat label="Annotations in the dataset" value={formatNumber(annotations.total)} />
        <Stat label="Written" value={formatNumber(annotations.written)} />
        <Stat label="Merged" value={formatNumber(annotations.merged)} />
        <Stat label="Already imported" value={formatNumber(annotations.known)} />
        <Stat label="Skipped" value={formatNumber(annotations.skipped)} />
      </StatStrip>
      <StatStrip>
        <Stat label="Labels in the project" value={formatNumber(labels.total)} />
        <Stat label="Imported" value={formatNumber(labels.written)} />
        <Stat label="Already imported" value={formatNumber(labels.known)} />
        <Stat label="Left out" value={formatNumber(labels.leftOut)} />
      </StatStrip>
      {categories.length > 0 && (
        <Panel title="Annotations by category" actions={<CsvLink href={csv} size="small" />} flush>
          <CategoryTable categories={categories} />
        </Panel>
      )}
      {reasons.length > 0 && (
        <Panel title="Left out" flush>
          <SmallTable
            caption="Left out"
            rows={reasons}
            rowKey={({ reason }) => reason}
            empty={null}
            columns={[
              { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
              {
                key: 'first',
                title: 'First image',
                cell: ({ first }) => <span className="break-all">{first}</span>,
              },
              { key: 'count', title: 'Count', numeric: true, cell: ({ count }) => formatNumber(count) },
            ]}
          />
        </Panel>
      )}
      {notes.length > 0 && (
        <Panel title="Not read">
          <ul className="list-disc pl-4">
            {notes.map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function CategoryTable({ categories }: { categories: CategoryCount[] }) {
  const numeric = (key: 'total' | 'written' | 'merged' | 'known' | 'skipped', title: string) => ({
    key,
    title,
    numeric: true,
    cell: (row: CategoryCount) => formatNumber(row[key]),
  });
  return (
    <SmallTable
      caption="Annotations by category"
      rows={categories}
      rowKey={({ category }) => category}
      empty={null}
      columns={[
        {
          key: 'category',
          title: 'Category',
          cell: ({ category }) => <span className="break-all">{category}</span>,
        },
        { key: 'target', title: 'Imported as', cell: ({ target }) => target },
        numeric('total', 'In the dataset'),
        numeric('written', 'Written'),
        numeric('merged', 'Merged'),
        numeric('known', 'Already imported'),
        numeric('skipped', 'Skipped'),
        {
          key: 'reasons',
          title: 'Reasons',
          cell: ({ reasons }) => reasons.map(({ reason, count }) => `${count} × ${reason}`).join('; '),
        },
      ]}
    />
  );
}

function useJob(jobId: string) {
  const [job, setJob] = useState<Job>();
  const [problem, setProblem] = useState<string>();
  const isOver = job !== undefined && ['done', 'failed', 'cancelled'].includes(job.state);
  const look = useCallback(async () => {
    try {
      setJob((await callApi<{ job: Job }>('GET', `/api/v1/jobs/${jobId}?limit=1`)).job);
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }, [jobId]);
  useEffect(() => {
    if (isOver) return;
    look();
    const timer = setInterval(look, PAUSE);
    return () => clearInterval(timer);
  }, [look, isOver]);
  return { job, problem, isOver };
}
