'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { FileDrop } from '@/app/_ui/file-drop';
import { Field, FormError, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { formatBytes } from '@/lib/core/format';
import { DatasetChoice } from './dataset-choice';
import { DatasetReport } from './dataset-report';
import { UploadReport } from './upload-report';
import { type UnknownClass, useUpload } from './use-upload';

type Props = { project: string; classes: { id: string; name: string }[] };

export function Uploader({ project, classes }: Props) {
  const { sending, found, report, problem, send, begin, cancel, reset } = useUpload(project);
  const [className, setClassName] = useState('');
  const [unknownClass, setUnknownClass] = useState<UnknownClass>('accept');
  if (report?.isDataset) return <DatasetReport project={project} report={report} onMore={reset} />;
  if (report) return <UploadReport project={project} report={report} onMore={reset} />;
  if (found)
    return (
      <DatasetChoice
        found={found}
        problem={problem}
        onBegin={(format) => begin(found, format)}
        onCancel={reset}
      />
    );
  if (sending) {
    return (
      <Panel>
        <Progress
          title="Sending files"
          label="Sending files"
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
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Class" hint="For files whose class neither a CSV nor the folder tells.">
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
        accepts="JPEG, PNG, WebP, TIFF, GIF or AVIF, zips of them, and CSV tables; or a dataset with its labels as a zip or a folder"
        onFiles={(files) => send(files, { className: className || undefined, unknownClass })}
      />
      <FormError>{problem}</FormError>
    </>
  );
}
