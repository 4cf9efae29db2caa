'use client';

import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Checkbox, FormError } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import { formatCount } from '@/lib/core/format';
import type { ExamBar } from '@/lib/services/crowd/policy/exam-bar';
import { chooseBar } from './actions';
import { BarHistogram } from './bar-histogram';
import { type Sitting, whoPasses } from './who-passes';

interface BarChooserProps {
  slug: string;
  stageId: string;
  /** The bar in force. */
  inForce: ExamBar;
  sittings: (Sitting & { accuracy: number | null })[];
  readOnly: boolean;
}

const known = (values: (number | null)[]) => values.filter((value) => value !== null);
const names = (people: { name: string }[]) => people.map((person) => person.name).join(', ');

/** Shows who would pass while the bar moves, and uses it when asked to. */
export function BarChooser({ slug, stageId, inForce, sittings, readOnly }: BarChooserProps) {
  const [bar, setBar] = useState(inForce);
  const [letsIn, setLetsIn] = useState(true);
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const { sat, would, gained, lost } = whoPasses(sittings, bar);
  const isChanged = JSON.stringify(bar) !== JSON.stringify(inForce);
  const change = (part: Partial<Record<'precision' | 'recall' | 'iou', number>>) =>
    !readOnly && setBar((before) => ({ ...before, ...part }) as ExamBar);
  const use = () =>
    startTransition(async () => {
      const { error } = await chooseBar(slug, { stageId, bar, letsIn: letsIn && gained.length > 0 });
      setProblem(error);
      if (!error) toast.success('The bar is set.');
    });

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-x-8 gap-y-6">
        {bar.kind === 'masks' ? (
          <BarHistogram
            title="Mean IoU"
            values={known(sittings.map((each) => each.meanIou))}
            bar={bar.iou}
            onBar={(iou) => change({ iou })}
          />
        ) : (
          <>
            <BarHistogram
              title="Precision"
              values={known(sittings.map((each) => each.precision))}
              bar={bar.precision}
              onBar={(precision) => change({ precision })}
            />
            <BarHistogram
              title="Recall"
              values={known(sittings.map((each) => each.recall))}
              bar={bar.recall}
              onBar={(recall) => change({ recall })}
            />
            <BarHistogram title="Accuracy" values={known(sittings.map((each) => each.accuracy))} />
          </>
        )}
      </div>
      <div aria-live="polite" className="text-sm">
        <p>
          <strong className="font-semibold">
            {would} of {formatCount(sat, 'person', 'people')} would pass
          </strong>{' '}
          at this bar{bar.kind === 'attributes' && ', both scores together'}.
        </p>
        {gained.length > 0 && <p className="text-ink-2">Reach it and have not passed: {names(gained)}.</p>}
        {lost.length > 0 && (
          <p className="text-ink-2">
            Have passed and would not reach it: {names(lost)}. They stay in: a bar counts from the day it is
            set.
          </p>
        )}
      </div>
      {!readOnly && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="primary"
            pending={pending}
            disabled={!isChanged && gained.length === 0}
            onClick={use}
          >
            Use this bar
          </Button>
          {isChanged && (
            <Button variant="quiet" onClick={() => setBar(inForce)}>
              Back to the bar in force
            </Button>
          )}
          {gained.length > 0 && (
            <Checkbox
              label={`Let in ${formatCount(gained.length, 'person', 'people')} who sat already and reach it`}
              checked={letsIn}
              onChange={(event) => setLetsIn(event.target.checked)}
            />
          )}
        </div>
      )}
      <FormError>{problem}</FormError>
    </div>
  );
}
