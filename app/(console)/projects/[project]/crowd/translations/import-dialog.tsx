'use client';

import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { callApi } from '@/app/_shell/call-api';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input } from '@/app/_ui/forms';
import { formatCount } from '@/lib/core/format';
import type { ImportResult } from '@/lib/services/crowd/translations';

interface ImportDialogProps {
  slug: string;
  language: string;
}

/** Takes back a file that was exported, with the translations filled in, and lists what could not be stored. */
export function ImportDialog({ slug, language }: ImportDialogProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [result, setResult] = useState<ImportResult>();
  const [pending, startTransition] = useTransition();

  const change = (next: boolean) => {
    setOpen(next);
    setFile(undefined);
    setProblem(undefined);
    setResult(undefined);
  };
  const send = () =>
    startTransition(async () => {
      if (!file) return;
      const format = file.name.toLowerCase().endsWith('.csv') ? 'csv' : 'json';
      try {
        const json = { language, format, content: await file.text() };
        setResult(await callApi('POST', `/api/v1/projects/${slug}/translations/import`, { json }));
        setProblem(undefined);
        router.refresh();
      } catch (error) {
        setProblem(error instanceof Error ? error.message : 'The file could not be imported. Try again.');
      }
    });

  return (
    <Dialog
      title="Import translations"
      description="A JSON or CSV file that was exported here, with the translations filled in. Lines without a translation change nothing."
      open={open}
      onOpenChange={change}
      trigger={<Button icon={<Upload aria-hidden />}>Import</Button>}
    >
      <Field label="File">
        {(control) => (
          <Input
            {...control}
            type="file"
            accept=".json,.csv,application/json,text/csv"
            className="h-auto py-1"
            onChange={(event) => {
              setFile(event.target.files?.[0]);
              setProblem(undefined);
              setResult(undefined);
            }}
          />
        )}
      </Field>
      <FormError>{problem}</FormError>
      {result && <Outcome result={result} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="quiet">Close</Button>
        </DialogClose>
        <Button variant="primary" pending={pending} disabled={!file || result !== undefined} onClick={send}>
          Import
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Outcome({ result: { imported, unchanged, empty, problems } }: { result: ImportResult }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="font-medium">
        {formatCount(imported, 'translation')} imported, {unchanged} unchanged, {empty} without a translation.
      </p>
      {problems.length > 0 && (
        <>
          <p>{formatCount(problems.length, 'line')} could not be imported:</p>
          <ul className="flex max-h-60 flex-col gap-1.5 overflow-y-auto text-sm">
            {problems.map(({ key, problem }) => (
              <li key={`${key} ${problem}`}>
                <span className="font-mono text-xs wrap-anywhere">{key}</span>
                <br />
                <span className="text-ink-2">{problem}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
