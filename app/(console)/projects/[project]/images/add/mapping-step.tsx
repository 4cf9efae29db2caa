'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { Mapping } from '@/lib/core/formats/mapping';
import { MappingRules } from './mapping-rules';
import { MappingTable } from './mapping-table';
import { type Preview, usePlan } from './use-plan';

type MappingStepProps = {
  project: string;
  upload: string;
  format: string;
  /** Why this format was detected. */
  because: string | undefined;
  problem: string | undefined;
  onImport: (mapping: Mapping) => Promise<void>;
  onCancel: () => void;
};

/** Edits the mapping of the categories, with previews, before anything is written. */
export function MappingStep(props: MappingStepProps) {
  const { project, upload, format, because, problem, onImport, onCancel } = props;
  const planning = usePlan(project, upload, format);
  const { plan, mapping, setMapping, isChanged, saved, load, isLoading } = planning;
  const [isStarting, setIsStarting] = useState(false);
  if (!plan || !mapping)
    return (
      <Panel title="Reading the dataset">
        <div className="flex flex-col gap-4">
          {isLoading && <p role="status">Counting annotations and drawing previews …</p>}
          <FormError>{planning.problem}</FormError>
          <div>
            <Button onClick={onCancel}>Choose other files</Button>
          </div>
        </div>
      </Panel>
    );
  const start = async () => {
    setIsStarting(true);
    await onImport(mapping);
    setIsStarting(false);
  };
  const { totals, remarks } = plan;
  return (
    <div className="flex flex-col gap-6">
      <Panel
        title="Mapping of categories"
        description={because ? `${plan.formatName}: ${because}.` : plan.formatName}
        flush
      >
        <MappingTable plan={plan} mapping={mapping} onChange={setMapping} />
      </Panel>
      <Panel title="Images">
        <MappingRules plan={plan} mapping={mapping} onChange={setMapping} />
      </Panel>
      <StatStrip>
        <Stat label="Images" value={`${formatNumber(plan.images)}${plan.isComplete ? '' : '+'}`} />
        <Stat label="Annotations" value={formatNumber(totals.annotations)} />
        <Stat label="To import" value={formatNumber(totals.imported)} />
        <Stat label="To skip" value={formatNumber(totals.skipped)} />
      </StatStrip>
      {remarks.length > 0 && (
        <ul className="list-disc pl-5 text-ink-2">
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      <Panel
        title="Preview"
        description={
          isChanged
            ? 'The mapping was changed. Update the preview to see its effect.'
            : `${formatCount(plan.previews.length, 'image')} with the labels as they will be imported`
        }
        actions={
          <Button
            size="small"
            onClick={() => load({ mapping })}
            disabled={!isChanged || isLoading}
            pending={isLoading}
          >
            Update preview
          </Button>
        }
      >
        <Previews previews={plan.previews} />
      </Panel>
      <FormError>{problem ?? planning.problem}</FormError>
      <div className="flex flex-wrap items-end gap-2">
        <Button variant="primary" onClick={start} disabled={isStarting || isLoading}>
          Import
        </Button>
        <Button onClick={onCancel} disabled={isStarting}>
          Choose other files
        </Button>
        <Button variant="quiet" onClick={() => load({})} disabled={isLoading}>
          Reset to proposal
        </Button>
        <SaveMapping mapping={mapping} onSave={planning.save} />
        {saved.length > 0 && (
          <Field label="Saved mapping" className="w-56">
            {(control) => (
              <Select
                {...control}
                value=""
                onChange={(event) => {
                  const chosen = saved.find(({ id }) => id === event.target.value);
                  if (chosen) load({ mapping: chosen.mapping });
                }}
                options={[
                  { value: '', label: 'Use a saved mapping' },
                  ...saved.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </Field>
        )}
      </div>
    </div>
  );
}

type SaveMappingProps = { mapping: Mapping; onSave: (name: string, mapping: Mapping) => Promise<boolean> };

function SaveMapping({ mapping, onSave }: SaveMappingProps) {
  const [name, setName] = useState('');
  const [isSaved, setIsSaved] = useState(false);
  const save = async () => setIsSaved(await onSave(name.trim(), mapping));
  return (
    <>
      <Field label="Name of the mapping" className="w-56">
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={80}
            onChange={(event) => {
              setName(event.target.value);
              setIsSaved(false);
            }}
          />
        )}
      </Field>
      <Button onClick={save} disabled={name.trim() === '' || isSaved}>
        {isSaved ? 'Saved' : 'Save mapping'}
      </Button>
    </>
  );
}

function Previews({ previews }: { previews: Preview[] }) {
  if (previews.length === 0) return <p className="text-ink-2">No image has annotations.</p>;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6">
      {previews.map(({ path, className, split, picture, problem, width, height }) => (
        <li key={path} className="flex min-w-0 flex-col gap-1">
          {picture ? (
            // biome-ignore lint/performance/noImgElement: a data URL, which next/image cannot optimize.
            <img
              src={picture}
              alt={`${path} with its labels`}
              width={width}
              height={height}
              className="h-40 w-full rounded-md bg-sunken object-contain"
            />
          ) : (
            <div className="h-40 rounded-md bg-sunken" />
          )}
          <span className="truncate text-xs" title={path}>
            {path.slice(path.lastIndexOf('/') + 1)}
          </span>
          <span className="text-xs text-ink-3">
            {[className ?? 'No class', split].filter(Boolean).join(' · ')}
          </span>
          {problem && <span className="text-xs text-bad">{problem}</span>}
        </li>
      ))}
    </ul>
  );
}
