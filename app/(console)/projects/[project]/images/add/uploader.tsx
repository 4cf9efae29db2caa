'use client';

import { useCallback, useEffect, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import { Button, ButtonLink } from '@/app/_ui/button';
import { FileDrop } from '@/app/_ui/file-drop';
import { Field, FormError, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes, formatNumber } from '@/lib/core/format';
import { DatasetReport, DatasetSteps } from './dataset-import';
import { type Report, type UnknownClass, useUpload } from './use-upload';

type UploaderProps = { project: string; classes: { id: string; name: string }[] };

export function Uploader({ project, classes }: UploaderProps) {
  const { sending, found, report, problem, send, begin, cancel, reset } = useUpload(project);
  const [className, setClassName] = useState('');
  const [unknownClass, setUnknownClass] = useState<UnknownClass>('accept');
  if (report?.isDataset) return <DatasetReport project={project} report={report} onMore={reset} />;
  if (report) return <UploadReport project={project} report={report} onMore={reset} />;
  if (found)
    return (
      <DatasetSteps found={found} project={project} problem={problem} onBegin={begin} onCancel={reset} />
    );
  if (sending) {
    return (
      <Panel className="max-w-3xl">
        <Progress
          title="Uploading files"
          label="Uploading files"
          state="running"
          done={sending.files}
          total={sending.allFiles}
          text={`${formatBytes(sending.bytes)} of ${formatBytes(sending.allBytes)}`}
          cancel={
            <Button size="small" onClick={cancel}>
              Cancel
            </Button>
          }
        />
      </Panel>
    );
  }
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Class" hint="For files without a class in a CSV or folder name.">
          {(control) => (
            <Select
              {...control}
              value={className}
              onChange={(event) => setClassName(event.target.value)}
              options={[
                { value: '', label: 'From folder or CSV' },
                ...classes.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
        <Field label="Unknown class">
          {(control) => (
            <Select
              {...control}
              value={unknownClass}
              onChange={(event) => setUnknownClass(event.target.value as UnknownClass)}
              options={[
                { value: 'accept', label: 'Add the image without a class' },
                { value: 'refuse', label: 'Refuse the image' },
              ]}
            />
          )}
        </Field>
      </div>
      <FileDrop
        accepts="JPEG, PNG, WebP, TIFF, GIF, AVIF or HEIC, zips of them, and CSV tables; or a dataset with its labels as a zip or a folder"
        onFiles={(files) => send(files, { className: className || undefined, unknownClass })}
      />
      <FormError>{problem}</FormError>
    </div>
  );
}

type Counts = Record<'files' | 'waiting' | 'accepted' | 'duplicate' | 'refused' | 'opened', number>;
type Upload = { state: string; counts: Counts };
type File = { id: string; name: string; state: string; reason: string | null };
type Seen = { upload: Upload; refused: File[]; duplicates: File[] };

/** Milliseconds between two requests for the state of an upload. */
const PAUSE = 1000;

type UploadReportProps = { project: string; report: Report; onMore: () => void };

/** The result of each file: accepted, already imported, or refused with the reason. */
function UploadReport({ project, report, onMore }: UploadReportProps) {
  const { seen, problem, isOver } = useReport(project, report.id);
  const counts = seen?.upload.counts;
  const settled = counts ? counts.files - counts.waiting : 0;
  return (
    <>
      <Panel>
        <Progress
          title="Processing images"
          label="Processing images"
          state={isOver ? (seen?.upload.state ?? 'done') : 'running'}
          done={settled}
          total={counts?.files ?? null}
          text="You can leave this page. The progress is shown in the job tray."
          cancel={
            <Button size="small" onClick={() => callApi('POST', `/api/v1/jobs/${report.jobId}/cancel`)}>
              Cancel
            </Button>
          }
        />
      </Panel>
      {counts && (
        <StatStrip>
          <Stat label="Files" value={formatNumber(counts.files)} />
          <Stat label="Accepted" value={formatNumber(counts.accepted)} />
          <Stat label="Already imported" value={formatNumber(counts.duplicate)} />
          <Stat label="Refused" value={formatNumber(counts.refused)} />
          {counts.opened > 0 && <Stat label="Archives and tables" value={formatNumber(counts.opened)} />}
        </StatStrip>
      )}
      <FormError>{problem}</FormError>
      <FileTable title="Refused" files={seen?.refused ?? []} total={counts?.refused ?? 0} />
      <FileTable title="Already imported" files={seen?.duplicates ?? []} total={counts?.duplicate ?? 0} />
      {isOver && (
        <div className="flex gap-2">
          <ButtonLink variant="primary" href={`/projects/${project}/images`}>
            Open images
          </ButtonLink>
          <Button onClick={onMore}>Add more</Button>
          <ButtonLink variant="quiet" href={`/jobs/${report.jobId}`}>
            Job log
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function FileTable({ title, files, total }: { title: string; files: File[]; total: number }) {
  if (files.length === 0) return null;
  return (
    <Panel
      title={title}
      description={total > files.length ? `The first ${files.length} of ${formatNumber(total)}` : undefined}
      flush
    >
      <SmallTable
        caption={title}
        rows={files}
        rowKey={(file) => file.id}
        empty={null}
        columns={[
          { key: 'name', title: 'File', cell: (file) => <span className="break-all">{file.name}</span> },
          { key: 'reason', title: 'Reason', cell: (file) => file.reason ?? '–' },
        ]}
      />
    </Panel>
  );
}

function useReport(project: string, id: string) {
  const [seen, setSeen] = useState<Seen>();
  const [problem, setProblem] = useState<string>();
  const isOver = seen !== undefined && ['done', 'cancelled'].includes(seen.upload.state);

  const look = useCallback(async () => {
    const address = `/api/v1/projects/${project}/uploads/${id}`;
    const files = (state: string) =>
      callApi<{ items: File[] }>('GET', `${address}/files?state=${state}&limit=200`);
    try {
      const upload = await callApi<Upload>('GET', address);
      const [refused, duplicates] = await Promise.all([files('refused'), files('duplicate')]);
      setSeen({ upload, refused: refused.items, duplicates: duplicates.items });
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }, [project, id]);

  useEffect(() => {
    if (isOver) return;
    look();
    const timer = setInterval(look, PAUSE);
    return () => clearInterval(timer);
  }, [look, isOver]);
  return { seen, problem, isOver };
}
