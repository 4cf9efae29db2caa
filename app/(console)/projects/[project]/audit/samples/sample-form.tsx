'use client';

import { useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { ActionForm, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { auditSize, type Confidence, confidences, LARGEST_SAMPLE } from '@/lib/core/quality/audit-sample';
import { drawSample } from '../actions';

type Props = { slug: string; stages: { id: string; name: string; labels: number }[]; closed: boolean };

/** Says at once how many labels have to be looked at for what one wants to know. */
export function SampleForm({ slug, stages, closed }: Props) {
  const [stageId, setStageId] = useState('');
  const [margin, setMargin] = useState('3');
  const [expected, setExpected] = useState('5');
  const [confidence, setConfidence] = useState<Confidence>(0.95);
  const [seed, setSeed] = useState('');
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const all = stages.reduce((sum, stage) => sum + stage.labels, 0);
  const population = stages.find((stage) => stage.id === stageId)?.labels ?? all;
  const [half, rate] = [shareOf(margin, 0.001, 0.5), shareOf(expected, 0.001, 0.999)];
  const size = half === null || rate === null ? null : auditSize(population, half, rate, confidence);
  const draw = () =>
    startTransition(async () => {
      if (half === null || rate === null) return;
      const { error } = await drawSample(slug, {
        stageId: stageId || null,
        margin: half,
        expected: rate,
        confidence,
        seed,
      });
      setProblem(error);
    });
  const isTooLarge = size !== null && size > LARGEST_SAMPLE;
  const isReady = size !== null && !isTooLarge && population > 0 && !closed;
  return (
    <ActionForm action={draw} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-5">
        <Field label="Labels of">
          {(control) => (
            <Select
              {...control}
              value={stageId}
              onChange={(event) => setStageId(event.target.value)}
              options={[
                { value: '', label: `All stages (${formatNumber(all)})` },
                ...stages.map(({ id, name, labels }) => ({
                  value: id,
                  label: `${name} (${formatNumber(labels)})`,
                })),
              ]}
            />
          )}
        </Field>
        <Field
          label="Margin, ± %"
          error={half === null && 'Between 0.1 and 50.'}
          hint="How far the rate may be off."
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={margin}
              onChange={(event) => setMargin(event.target.value)}
            />
          )}
        </Field>
        <Field label="Confidence">
          {(control) => (
            <Select
              {...control}
              value={String(confidence)}
              onChange={(event) =>
                setConfidence(confidences.find((each) => String(each) === event.target.value) ?? 0.95)
              }
              options={confidences.map((each) => ({ value: String(each), label: formatPercent(each, 0) }))}
            />
          )}
        </Field>
        <Field
          label="Error rate is about, %"
          error={rate === null && 'Between 0.1 and 99.9.'}
          hint="Use 50% if unknown (largest sample)."
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={expected}
              onChange={(event) => setExpected(event.target.value)}
            />
          )}
        </Field>
        <Field label="Seed" optional hint="The same seed draws the same labels again.">
          {(control) => (
            <Input
              {...control}
              value={seed}
              maxLength={80}
              onChange={(event) => setSeed(event.target.value)}
            />
          )}
        </Field>
      </div>
      <FormError>{problem}</FormError>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" pending={pending} disabled={!isReady}>
          Draw the sample
        </Button>
        <p role="status" className="text-base tabular-nums">
          {population === 0
            ? 'There are no labels to audit yet.'
            : size !== null && (
                <>
                  Audit <strong>{formatNumber(size)}</strong> of {formatNumber(population)} to know the error
                  rate ± {formatPercent(half, decimals(half))} at {formatPercent(confidence, 0)}.
                  {isTooLarge &&
                    ` A sample has at most ${formatNumber(LARGEST_SAMPLE)}: choose a wider margin or less confidence.`}
                </>
              )}
        </p>
      </div>
    </ActionForm>
  );
}

const decimals = (share: number | null): number =>
  share !== null && Math.abs(share * 100 - Math.round(share * 100)) > 1e-9 ? 1 : 0;

/** A share from a text in per cent, or null when it is none. */
function shareOf(text: string, low: number, high: number): number | null {
  const share = Number(text.replace(',', '.')) / 100;
  return text.trim() !== '' && share >= low && share <= high ? Number(share.toFixed(5)) : null;
}
