'use client';

import { SearchCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { ContractFields } from './contract-fields';
import { FileFields } from './file-fields';
import { FoundPanel } from './found-panel';
import { readForm } from './read-form';
import { useAddModel } from './use-add-model';

interface Props {
  slug: string;
  classes: string[];
}

const kinds = [
  { value: 'classifier', label: 'Classifier', says: 'A number for each class.' },
  { value: 'oracle', label: 'Oracle', says: 'An image encoder with words (CLIP).' },
  { value: 'decoder', label: 'Decoder', says: 'Draws pictures; with its encoder.' },
];

/** A file, what is said about it, and what was found. Entered is only what was looked at as it is said now. */
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
      <Panel title="What is said about it">
        <form ref={form} onSubmit={check} onChange={forget} className="grid max-w-2xl gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Kind" hint={kinds.find(({ value }) => value === kind)?.says}>
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
            <Field label="Name" optional hint="Else the name of the file.">
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
