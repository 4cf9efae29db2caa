'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath, rasterizeShapes } from '@/lib/mask';
import type { AnswerValue } from '@/lib/quality/answer';
import { CANNOT_TELL } from '@/lib/quality/cannot-tell';
import { positivesOf } from '@/lib/quality/score-check';
import type { DatasetSchema } from '@/lib/schema';
import { type Feedback, getFeedback, type WorkBatch, type WorkItem } from './api';
import { LoadingWork } from './loading-work';

/** Apart in hue and in lightness, and named beside the picture. */
const colours = { own: '#e8a33d', trusted: '#3fb6a8' };

interface PracticeFeedbackProps {
  batch: WorkBatch;
  item: WorkItem;
  onNext: () => void;
}

/** After an item of practice: what the worker said beside what trusted people said. */
export function PracticeFeedback({ batch, item, onNext }: PracticeFeedbackProps) {
  const [feedback, setFeedback] = useState<Feedback>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    setProblem(undefined);
    try {
      setFeedback(await getFeedback(item.leaseId));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The server does not answer.');
    }
  }, [item.leaseId]);
  useEffect(() => {
    void load();
  }, [load]);
  if (problem !== undefined)
    return (
      <main className="mx-auto max-w-2xl">
        <ErrorState
          title="The comparison could not be loaded"
          action={
            <>
              <Button onClick={load}>Try again</Button>
              <Button variant="primary" onClick={onNext}>
                Go on without it
              </Button>
            </>
          }
        >
          Your answer is stored. {problem}
        </ErrorState>
      </main>
    );
  if (!feedback) return <LoadingWork />;
  const schema = batch.schemas.find(({ id }) => id === item.schemaVersionId)?.document;
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
      <header className="flex items-center gap-3">
        <h1 className="text-lg font-semibold">Practice: how you did</h1>
        <Badge tone={feedback.passed ? 'good' : 'warn'}>
          {feedback.passed ? 'good enough' : 'not close enough yet'}
        </Badge>
      </header>
      <Comparison item={item} feedback={feedback} schema={schema} />
      <div>
        <Button variant="primary" autoFocus onClick={onNext}>
          Next
        </Button>
      </div>
    </main>
  );
}

interface ComparisonProps {
  item: WorkItem;
  feedback: Feedback;
  schema: DatasetSchema | undefined;
}

function Comparison({ item, feedback: { score, truth }, schema }: ComparisonProps) {
  const answer = item.answer as AnswerValue;
  const outlines = useMemo(() => outlinesOf(item, answer, truth.mask), [item, answer, truth.mask]);
  const { width, height, working } = item.image;
  return (
    <div className="flex flex-wrap gap-6">
      <OutlinedPicture
        url={working.url}
        alt="The picture with both answers"
        width={width}
        height={height}
        outlines={outlines}
        className="max-h-[60vh] w-96 rounded-md bg-stage"
      />
      <dl className="grid max-w-sm content-start gap-x-4 gap-y-2 text-sm">
        {answer.kind === 'attributes' ? (
          <Marks own={positivesOf(answer)} trusted={positivesOf(truth.value)} schema={schema} />
        ) : (
          <Line term="Trusted people" text={said(truth.value)} colour={colours.trusted} />
        )}
        {answer.kind !== 'attributes' && <Line term="You" text={said(answer)} colour={colours.own} />}
        {score.iou !== undefined && (
          <Line term="Overlap (IoU)" text={`${Math.round(100 * score.iou)} % of the two areas together`} />
        )}
      </dl>
    </div>
  );
}

function said(value: AnswerValue): string {
  if (value.kind === 'nothing') return 'nothing to label';
  if (value.kind !== 'class') return 'drew this';
  return value.className === CANNOT_TELL ? 'cannot tell' : value.className;
}

function Marks({ own, trusted, schema }: { own: string[]; trusted: string[]; schema?: DatasetSchema }) {
  const name = (id: string) => schema?.attributes.find((attribute) => attribute.id === id)?.name ?? id;
  const list = (ids: string[]) => (ids.length > 0 ? ids.map(name).join(', ') : 'none');
  return (
    <>
      <Line term="Right" text={list(own.filter((id) => trusted.includes(id)))} />
      <Line term="Missed" text={list(trusted.filter((id) => !own.includes(id)))} />
      <Line term="Marked, and not there" text={list(own.filter((id) => !trusted.includes(id)))} />
    </>
  );
}

function Line({ term, text, colour }: { term: string; text: string; colour?: string }) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-ink-2">
        {colour && <span className="size-2.5 rounded-sm" style={{ backgroundColor: colour }} />}
        {term}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}

function outlinesOf({ image: { width, height } }: WorkItem, answer: AnswerValue, trusted: string | null) {
  const own = answer.kind === 'mask' ? rasterizeShapes(answer.shapes, height, width) : null;
  const right = trusted === null ? null : decodeCounts(trusted, height, width);
  return [
    ...(right ? [{ id: 'trusted', colour: colours.trusted, path: outlinePath(right) }] : []),
    ...(own ? [{ id: 'own', colour: colours.own, path: outlinePath(own) }] : []),
  ];
}
