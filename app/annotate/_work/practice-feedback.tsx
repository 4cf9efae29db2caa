'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useCallback, useEffect, useState } from 'react';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { Markdown } from '@/app/_ui/markdown';
import { type AnswerValue, CANNOT_TELL } from '@/lib/core/quality/answer';
import { positivesOf } from '@/lib/core/quality/score-check';
import type { DatasetSchema } from '@/lib/core/schema';
import { type Feedback as BareFeedback, getFeedback, type WorkBatch, type WorkItem } from './api';
import { compareMasks, DifferenceMap } from './difference-map';
import { LoadingWork } from './loading-work';
import { useExplainProblem } from './work-text';

type Feedback = BareFeedback & {
  bar?: number | null;
  guide?: { definition: string; notes: readonly string[] };
};

interface PracticeFeedbackProps {
  batch: WorkBatch;
  item: WorkItem;
  onNext: () => void;
}

/** After an item of practice: the worker's answer beside the right one, in pictures and plain words. */
export function PracticeFeedback({ batch, item, onNext }: PracticeFeedbackProps) {
  const t = useTranslations('practice');
  const explain = useExplainProblem();
  const [feedback, setFeedback] = useState<Feedback>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    setProblem(undefined);
    try {
      setFeedback(await getFeedback(item.leaseId));
    } catch (error) {
      setProblem(explain(error));
    }
  }, [item.leaseId, explain]);
  useEffect(() => {
    void load();
  }, [load]);
  if (problem !== undefined)
    return (
      <main className="mx-auto max-w-2xl">
        <ErrorState
          title={t('problemTitle')}
          action={
            <>
              <Button onClick={load}>{t('retry')}</Button>
              <Button variant="primary" onClick={onNext}>
                {t('skip')}
              </Button>
            </>
          }
        >
          {t('problemText', { reason: problem })}
        </ErrorState>
      </main>
    );
  if (!feedback) return <LoadingWork />;
  const schema = batch.schemas.find(({ id }) => id === item.schemaVersionId)?.document;
  const good = isGood(feedback);
  return (
    <main className="mx-auto flex w-full max-w-5xl flex-col gap-4 p-4 text-base sm:p-6">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-lg font-semibold">{t('title')}</h1>
        <Badge tone={good ? 'good' : 'warn'}>{good ? t('passed') : t('failed')}</Badge>
      </header>
      <div className="grid items-start gap-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <DifferenceMap item={item} answer={item.answer as AnswerValue} trusted={feedback.truth.mask} />
        <div className="flex flex-col gap-4">
          <Score item={item} feedback={feedback} schema={schema} />
          <FromGuide guide={feedback.guide} />
          <div>
            <Button variant="primary" size="large" autoFocus onClick={onNext}>
              {t('next')}
            </Button>
          </div>
        </div>
      </div>
    </main>
  );
}

/** A hidden check allows more than an exam, which goes by the mean: practice says what an exam would. */
const isGood = ({ passed, score, bar }: Feedback): boolean =>
  typeof bar === 'number' ? (score.level ?? 0) >= bar : passed;

interface ScoreProps {
  item: WorkItem;
  feedback: Feedback;
  schema: DatasetSchema | undefined;
}

function Score({ item, feedback, schema }: ScoreProps) {
  const answer = item.answer as AnswerValue;
  switch (answer.kind) {
    case 'attributes':
      return (
        <FormScore own={positivesOf(answer)} right={positivesOf(feedback.truth.value)} schema={schema} />
      );
    case 'class':
      return <ClassScore own={answer} right={feedback.truth.value} />;
    default:
      return <MaskScore item={item} answer={answer} feedback={feedback} />;
  }
}

/** An outline at least this good needs no advice. */
const VERY_CLOSE_IOU = 0.9;

function MaskScore({ item, answer, feedback }: { item: WorkItem; answer: AnswerValue; feedback: Feedback }) {
  const t = useTranslations('practice');
  const percent = usePercent();
  const { own, right, areas } = compareMasks(item.image, answer, feedback.truth.mask);
  if (!own && !right) return <p>{t('bothNothing')}</p>;
  if (!own) return <p>{t('missedAll')}</p>;
  if (!right) return <p>{t('drewAbsent')}</p>;
  const iou = feedback.score.iou ?? 0;
  const summary = iou >= VERY_CLOSE_IOU ? 'veryClose' : isGood(feedback) ? 'closeEnough' : 'notClose';
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{t(summary)}</p>
      <p>{t('covered', { share: percent(areas.correct / (areas.correct + areas.missed)) })}</p>
      <p>{t('excess', { share: percent(areas.extra / (areas.correct + areas.extra)) })}</p>
    </div>
  );
}

function usePercent() {
  const format = new Intl.NumberFormat(useLocale(), { style: 'percent', maximumFractionDigits: 0 });
  return (share: number) => format.format(share);
}

function FormScore({ own, right, schema }: { own: string[]; right: string[]; schema?: DatasetSchema }) {
  const t = useTranslations('practice');
  const name = (id: string) => schema?.attributes.find((attribute) => attribute.id === id)?.name ?? id;
  const found = own.filter((id) => right.includes(id));
  const missed = right.filter((id) => !own.includes(id));
  const extra = own.filter((id) => !right.includes(id));
  const list = (ids: string[]) => (ids.length > 0 ? ids.map(name).join(', ') : t('none'));
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">
        {t('formResult', { right: found.length, missed: missed.length, extra: extra.length })}
      </p>
      <dl className="grid gap-2">
        <Line term={t('correct')} text={list(found)} />
        <Line term={t('missed')} text={list(missed)} />
        <Line term={t('extra')} text={list(extra)} />
      </dl>
    </div>
  );
}

function ClassScore({ own, right }: { own: AnswerValue; right: AnswerValue }) {
  const t = useTranslations('practice');
  const nameOf = (value: AnswerValue) => {
    if (value.kind !== 'class') return t('none');
    return value.className === CANNOT_TELL ? t('cannotTell') : value.className;
  };
  return (
    <dl className="grid gap-2">
      <Line term={t('you')} text={nameOf(own)} />
      <Line term={t('rightAnswer')} text={nameOf(right)} />
    </dl>
  );
}

function Line({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{term}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}

/** The definition, and why other answers were not good, in the curator's words. */
function FromGuide({ guide }: { guide: Feedback['guide'] }) {
  const t = useTranslations('practice');
  if (!guide || (guide.definition === '' && guide.notes.length === 0)) return null;
  return (
    <div dir="auto" className="flex flex-col gap-3 rounded-md border border-line bg-surface p-3 text-sm">
      {guide.definition !== '' && (
        <section>
          <h2 className="font-semibold">{t('definition')}</h2>
          <Markdown source={guide.definition} picture={() => undefined} topLevel={3} />
        </section>
      )}
      {guide.notes.length > 0 && (
        <section>
          <h2 className="font-semibold">{t('notes')}</h2>
          <ul className="list-disc ps-5">
            {guide.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
