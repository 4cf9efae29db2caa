'use client';

import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatDateTime, formatNumber, formatPercent, noValue } from '@/lib/core/format';
import { CANNOT_TELL } from '@/lib/core/quality/answer';
import { warningOf } from '@/lib/core/quality/warnings';
import type { DatasetSchema } from '@/lib/core/schema';
import type { AuditAnswer, AuditLabel } from './audit-api';
import { answerColour } from './layers';

type Props = {
  slug: string;
  label: AuditLabel;
  /** In a sample nothing may hint at whether the label is right. */
  isBlind?: boolean;
};

/** What is known about a label, beside its picture. */
export function LabelPanel({ slug, label, isBlind }: Props) {
  const { risk, target, image, stage } = label;
  const isForm = stage.kind === 'attributes' || stage.kind === 'oracle';
  const { instances, flags } = drawnFacts(label.value);
  return (
    <div className="flex flex-col">
      <Part>
        <h2 className="text-base font-semibold">{titleOf(label)}</h2>
        {target?.definition && <p className="mt-0.5 text-ink-2">{target.definition}</p>}
        {(isForm || label.mask === null) && (
          <p className="mt-1 font-medium">{valueWords(label.value, label.schema)}</p>
        )}
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs [&_dd]:text-right [&_dd]:tabular-nums [&_dt]:text-ink-3">
          <dt>Stage</dt>
          <dd>{stage.name}</dd>
          <dt>Class</dt>
          <dd>{image.className ?? '–'}</dd>
          <dt>Image</dt>
          <dd className="truncate">
            <Link
              href={`/projects/${slug}/images/${label.imageId}`}
              className="underline decoration-line-strong underline-offset-2"
            >
              {image.name}
            </Link>
          </dd>
          {label.area !== null && (
            <>
              <dt>Area</dt>
              <dd>
                {formatNumber(label.area)} px, {formatPercent(label.area / (image.width * image.height))}
              </dd>
            </>
          )}
          {instances !== undefined && (
            <>
              <dt>Instances</dt>
              <dd>{formatNumber(instances)}</dd>
            </>
          )}
          {flags.length > 0 && (
            <>
              <dt>Flags</dt>
              <dd>{flags.join(', ')}</dd>
            </>
          )}
          {!isBlind && (
            <>
              <dt>Made from</dt>
              <dd>{label.source}</dd>
              <dt>Confidence</dt>
              <dd>
                {label.source === 'import' && label.confidence === 1
                  ? 'not known'
                  : formatPercent(label.confidence, 0)}
              </dd>
            </>
          )}
        </dl>
        {!isBlind && label.explanation && <p className="mt-1 text-xs text-ink-2">{label.explanation}</p>}
      </Part>
      {!isBlind && risk && (
        <Part title="Expected error">
          <p className="flex items-baseline justify-between gap-2">
            {risk.risk === null ? (
              <span className="font-medium">Imported, not audited yet</span>
            ) : (
              <span className="text-xl font-semibold tracking-tight tabular-nums">
                {formatPercent(risk.risk)}
              </span>
            )}
            <span className="text-xs text-ink-3 tabular-nums">{basisOf(label)}</span>
          </p>
          {risk.disagreement !== null && (
            <p className="mt-1 flex items-baseline justify-between gap-2 text-ink-2">
              <span>The model disagrees by</span>
              <span className="tabular-nums">{formatPercent(risk.disagreement)}</span>
            </p>
          )}
          {risk.warnings.length > 0 && (
            <ul className="mt-2 flex flex-col gap-1.5">
              {risk.warnings.map((id) => (
                <li key={id} className="flex gap-1.5">
                  <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0 text-warn" />
                  <span>
                    <span className="font-medium">{warningOf(id)?.title ?? id}.</span>{' '}
                    <span className="text-ink-2">{warningOf(id)?.description}</span>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      {!isBlind && (
        <Part title={label.answers.length === 1 ? 'The answer' : `${label.answers.length} answers`}>
          <AnswerTable slug={slug} label={label} />
        </Part>
      )}
      {!isBlind && label.history.length > 0 && (
        <Part title="Decisions">
          <ol className="flex flex-col gap-1.5">
            {label.history.map((entry) => (
              <li key={entry.id}>
                <span className="font-medium">{verdictWord(entry.verdict)}</span>{' '}
                <span className="text-ink-2">{entry.reason}</span>{' '}
                <span className="text-xs text-ink-3">
                  {entry.by ?? entry.rule ?? 'somebody'}, {formatDateTime(entry.at)}
                </span>
              </li>
            ))}
          </ol>
        </Part>
      )}
    </div>
  );
}

/** How many instances a drawing has, if it has several, and its flags. */
const drawnFacts = (value: AuditLabel['value']) =>
  value.kind === 'mask'
    ? { instances: value.instances?.length, flags: value.flags ?? [] }
    : { instances: undefined, flags: [] };

/** What the expected error is based on. */
function basisOf({ risk, answers, source }: AuditLabel): string {
  if (answers.length > 0)
    return risk?.agreement == null ? 'one answer' : `agreement ${formatNumber(risk.agreement, 2)}`;
  if (source !== 'import') return 'no answers';
  return risk?.risk == null ? 'audit a sample to estimate it' : 'from audited samples of imported labels';
}

function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-b border-line p-3 last:border-b-0">
      {title && <h3 className="mb-1.5 text-xs font-medium text-ink-3">{title}</h3>}
      {children}
    </section>
  );
}

/** Who said what, how far they can be trusted, and how near it comes to the label. */
function AnswerTable({ slug, label }: { slug: string; label: AuditLabel }) {
  if (label.answers.length === 0)
    return <p className="text-ink-2">No answer stands behind this label: it was {label.source}ed.</p>;
  const isDrawn = label.stage.kind !== 'attributes' && label.stage.kind !== 'oracle';
  return (
    <table className="w-full text-xs tabular-nums">
      <caption className="sr-only">Answers behind the label</caption>
      <thead className="text-ink-3">
        <tr className="[&>th]:pb-1 [&>th]:font-normal">
          <th scope="col" className="text-left">
            Worker
          </th>
          <th scope="col" className="text-right">
            Trust
          </th>
          <th scope="col" className="text-right">
            {isDrawn ? 'IoU' : 'Same'}
          </th>
          {isDrawn && (
            <th scope="col" className="text-right">
              Boundary
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {label.answers.map((answer, i) => (
          <tr key={answer.id} className="align-top [&>td]:py-0.5 [&>th]:py-0.5">
            <th scope="row" className="text-left font-normal">
              <span className="flex items-baseline gap-1.5">
                {isDrawn && (
                  <span
                    aria-hidden
                    className="size-2 shrink-0 rounded-full"
                    style={{ background: answerColour(i) }}
                  />
                )}
                <Link
                  href={`/projects/${slug}/crowd/${answer.workerId}`}
                  className="underline decoration-line-strong underline-offset-2"
                >
                  {answer.worker}
                </Link>
              </span>
              <InstanceCount answer={answer} label={label} />
              <Otherwise answer={answer} label={label} />
            </th>
            <td className="text-right">{formatPercent(answer.accuracy, 0)}</td>
            <td className="text-right">{isDrawn ? score(answer.iou) : formatNumber(answer.agreement, 2)}</td>
            {isDrawn && <td className="text-right">{score(answer.boundaryIou)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The number of instances in an answer, if it or the label has several. */
function InstanceCount({ answer, label }: { answer: AuditAnswer; label: AuditLabel }) {
  const countOf = (value: { kind: string; instances?: readonly string[] | undefined }) =>
    value.kind === 'mask' ? (value.instances?.length ?? 1) : 0;
  const n = countOf(answer.value);
  if (n === 0 || Math.max(n, countOf(label.value)) < 2) return null;
  return <span className="block text-ink-3">{n === 1 ? '1 instance' : `${n} instances`}</span>;
}

const score = (value: number | null) => (value === null ? noValue : formatNumber(value, 2));

/** What the answer says that the label does not, and the reverse. */
function Otherwise({ answer, label }: { answer: AuditAnswer; label: AuditLabel }) {
  if (answer.value.kind === 'mask' || label.mask !== null) {
    if (answer.mask !== null) return null;
    return <span className="block text-ink-3">{valueWords(answer.value, label.schema)}</span>;
  }
  const [theirs, own] = [marksOf(answer.value, label.schema), marksOf(label.value, label.schema)];
  const more = theirs.filter((name) => !own.includes(name)).map((name) => `+ ${name}`);
  const less = own.filter((name) => !theirs.includes(name)).map((name) => `− ${name}`);
  const differs = [...more, ...less];
  return differs.length > 0 ? <span className="block text-ink-3">{differs.join(', ')}</span> : null;
}

type Value = { kind: string; choices?: Readonly<Record<string, readonly string[]>>; className?: string };

/** What the label is about, in a few words. */
function titleOf({ stage, target, image }: AuditLabel): string {
  if (target) return target.name;
  return stage.kind === 'oracle' ? 'Class' : `Attributes of ${image.className ?? 'the object'}`;
}

/** The names of what a form marks, in the order of the schema. */
function marksOf(value: Value, schema: AuditLabel['schema']): string[] {
  const { className = '' } = value;
  if (value.kind === 'class') {
    const known = (schema as DatasetSchema | null)?.classes ?? [];
    return [
      className === CANNOT_TELL
        ? 'cannot tell'
        : (known.find(({ id }) => id === className)?.name ?? className),
    ];
  }
  const chosen = new Set(Object.values(value.choices ?? {}).flat());
  const known = (schema as DatasetSchema | null)?.attributes ?? [];
  return known.filter(({ id }) => chosen.has(id)).map(({ name }) => name);
}

/** A drawing has no words of its own. */
function valueWords(value: Value, schema: AuditLabel['schema']): string {
  if (value.kind === 'nothing') return 'Nothing to label';
  if (value.kind === 'mask') return 'Drawing';
  return marksOf(value, schema).join(', ') || 'None of the attributes';
}

const verdicts: Record<string, string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  'sent-back': 'Sent back',
  corrected: 'Put right',
  undone: 'Taken back',
  'audit-right': 'Right, in a sample',
  'audit-wrong': 'Wrong, in a sample',
  'audit-undone': 'Taken back, in a sample',
  'false-positive': 'Marked, but nothing to draw',
};

export const verdictWord = (verdict: string): string => verdicts[verdict] ?? verdict;
