'use client';

import { SearchCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes } from '@/lib/core/format';
import { ContractFields, FileFields } from './model-fields';
import { type Found, type Going, readForm, useAddModel } from './use-add-model';

interface Props {
  slug: string;
  classes: string[];
}

const kinds = [
  { value: 'classifier', label: 'Classifier', description: 'Outputs one number per class.' },
  { value: 'oracle', label: 'Oracle', description: 'Image encoder with word embeddings (CLIP).' },
  { value: 'decoder', label: 'Decoder', description: 'Image decoder with its encoder.' },
];

/** Form to check and register a model. Changing the form invalidates the check. */
export function ModelForm({ slug, classes }: Props) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [kind, setKind] = useState('classifier');
  const { going, found, problem, run, cancel, forget } = useAddModel(slug);

  const check = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    await run(readForm(new FormData(event.currentTarget)), true);
  };
  const enter = async () => {
    if (!form.current) return;
    const added = await run(readForm(new FormData(form.current)), false);
    if (added?.modelId) router.push(`/projects/${slug}/models/${added.modelId}`);
  };
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title="Model">
        <form ref={form} onSubmit={check} onChange={forget} className="grid max-w-2xl gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Kind" hint={kinds.find(({ value }) => value === kind)?.description}>
              {(control) => (
                <Select
                  {...control}
                  name="kind"
                  value={kind}
                  onChange={(event) => setKind(event.target.value)}
                  options={kinds.map(({ value, label }) => ({ value, label }))}
                />
              )}
            </Field>
            <Field label="Name" optional hint="Default: the file name.">
              {(control) => <Input {...control} name="name" maxLength={120} />}
            </Field>
          </div>
          <FileFields kind={kind} />
          <ContractFields key={kind} kind={kind} classes={classes} />
          <FormError>{problem}</FormError>
          <div>
            <Button
              type="submit"
              variant={found?.isGood ? 'secondary' : 'primary'}
              icon={<SearchCheck aria-hidden />}
              pending={going !== undefined}
            >
              Check
            </Button>
          </div>
        </form>
      </Panel>
      <FoundPanel going={going} found={found} onCancel={cancel} onEnter={enter} />
    </div>
  );
}

interface FoundPanelProps {
  going: Going | undefined;
  found: Found | undefined;
  onCancel: () => void;
  onEnter: () => void;
}

const tones = { good: 'good', note: 'warn', refused: 'bad' } as const;

/** Check results with the register button. */
function FoundPanel({ going, found, onCancel, onEnter }: FoundPanelProps) {
  if (going)
    return (
      <Panel title="Check results">
        <Progress
          title={going.what === 'sending' ? going.text : 'Checking the model'}
          label={going.text}
          state="running"
          done={going.done}
          total={going.total}
          text={
            going.total === null ? going.text : `${formatBytes(going.done)} of ${formatBytes(going.total)}`
          }
          cancel={
            <Button size="small" onClick={onCancel}>
              Cancel
            </Button>
          }
        />
      </Panel>
    );
  if (!found)
    return (
      <Panel title="Check results" flush>
        <EmptyState title="Not checked yet">
          Choose the file, enter its classes and press Check. Checking does not register the model.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel
      title="Check results"
      description={
        found.isGood
          ? 'The model passed all checks. Read the notes before you register it.'
          : 'The model cannot be registered. The last line explains how to fix it.'
      }
      flush
    >
      <SmallTable
        caption="Check results"
        rows={found.lines.map((line, at) => ({ ...line, at }))}
        rowKey={({ at }) => String(at)}
        empty={null}
        columns={[
          {
            key: 'what',
            title: 'Check',
            className: 'whitespace-nowrap',
            cell: ({ what, state }) => (
              <State state={state} tone={tones[state]}>
                {what}
              </State>
            ),
          },
          { key: 'says', title: 'Result', cell: ({ says }) => says },
        ]}
      />
      {found.isGood && (
        <div className="border-t border-line p-3">
          <Button variant="primary" onClick={onEnter}>
            Register model
          </Button>
        </div>
      )}
    </Panel>
  );
}
