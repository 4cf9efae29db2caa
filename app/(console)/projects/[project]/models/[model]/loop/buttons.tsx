'use client';

import { useState, useTransition } from 'react';
import { ActionButton } from '@/app/_shell/action-button';
import { Button } from '@/app/_ui/button';
import { ActionForm, Checkbox, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { askInOrder, chooseNext, lookAgain } from '../../actions';

export const LookAgain = ({ slug }: { slug: string }) => (
  <ActionButton act={() => lookAgain(slug)}>Predict remaining images</ActionButton>
);

export const AskInOrder = ({ slug, stageId }: { slug: string; stageId: string }) => (
  <ActionButton size="small" variant="quiet" act={() => askInOrder(slug, stageId)}>
    Reset
  </ActionButton>
);

interface Props {
  slug: string;
  stages: { id: string; name: string }[];
  most: number;
  /** A selection is running. */
  isBusy: boolean;
}

export function ChooseNextForm({ slug, stages, most, isBusy }: Props) {
  const [stageId, setStageId] = useState(stages[0]?.id ?? '');
  const [count, setCount] = useState('50');
  const [again, setAgain] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const choose = () =>
    startTransition(async () =>
      setProblem((await chooseNext(slug, { stageId, count: Number(count), again })).error),
    );
  return (
    <ActionForm action={choose} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Stage">
          {(control) => (
            <Select
              {...control}
              value={stageId}
              onChange={(event) => setStageId(event.target.value)}
              options={stages.map(({ id, name }) => ({ value: id, label: name }))}
              className="w-44"
            />
          )}
        </Field>
        <Field label="Images">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={most}
              step={1}
              value={count}
              onChange={(event) => setCount(event.target.value)}
              className="w-24"
            />
          )}
        </Field>
        <Button type="submit" pending={pending} disabled={isBusy}>
          Move to front
        </Button>
      </div>
      <Checkbox
        label="Repeat when these are handed out"
        checked={again}
        onChange={(event) => setAgain(event.target.checked)}
      />
      {problem && <FormError>{problem}</FormError>}
    </ActionForm>
  );
}
