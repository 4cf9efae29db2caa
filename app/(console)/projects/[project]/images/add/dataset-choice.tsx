'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import type { Found } from './use-upload';

const PICTURES = 'pictures';

type Props = {
  found: Found;
  problem: string | undefined;
  onBegin: (format: string | null) => Promise<void>;
  onCancel: () => void;
};

/** What the files were taken for and why, before anything is brought in. */
export function DatasetChoice({ found, problem, onBegin, onCancel }: Props) {
  const [format, setFormat] = useState(found.isTooLarge ? '' : (found.guesses[0]?.format ?? PICTURES));
  const [isStarting, setIsStarting] = useState(false);
  const guess = found.guesses.find((each) => each.format === format);
  const begin = async () => {
    setIsStarting(true);
    await onBegin(guess ? guess.format : null);
    setIsStarting(false);
  };
  return (
    <Panel title={found.isTooLarge ? 'What are these files?' : `This looks like ${found.guesses[0]?.name}`}>
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
                { value: PICTURES, label: 'Pictures only, without labels' },
              ]}
            />
          )}
        </Field>
        <div className="flex flex-col gap-1 text-ink-2">
          <p className="break-words">
            {found.isTooLarge && 'The label files are too large to be looked at while you wait. '}
            {guess?.because && `Because ${guess.because}.`}
            {format === PICTURES && 'Every picture comes in; label files are refused.'}
          </p>
          {guess && (
            <p>
              A draft without images takes over the schema of the dataset. Every other project keeps its own:
              labels without a place in it are counted and left out. Images that are here already get labels
              only where they have none.
            </p>
          )}
        </div>
        <FormError>{problem}</FormError>
        <div className="flex gap-2">
          <Button variant="primary" onClick={begin} disabled={isStarting || format === ''}>
            {format !== PICTURES ? 'Import images and labels' : 'Add the pictures'}
          </Button>
          <Button onClick={onCancel} disabled={isStarting}>
            Choose other files
          </Button>
        </div>
      </div>
    </Panel>
  );
}
