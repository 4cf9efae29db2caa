'use client';

import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatDateTime, formatNumber, formatPercent } from '@/lib/core/format';
import { warningOf } from '@/lib/core/quality/warnings';
import { AnswerTable } from './answer-table';
import type { AuditLabel } from './audit-api';
import { titleOf, valueWords, verdictWord } from './label-words';

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
          {!isBlind && (
            <>
              <dt>Made from</dt>
              <dd>{label.source}</dd>
              <dt>Confidence</dt>
              <dd>{formatPercent(label.confidence, 0)}</dd>
            </>
          )}
        </dl>
        {!isBlind && label.explanation && <p className="mt-1 text-xs text-ink-2">{label.explanation}</p>}
      </Part>
      {!isBlind && risk && (
        <Part title="Expected error">
          <p className="flex items-baseline justify-between gap-2">
            <span className="text-xl font-semibold tracking-tight tabular-nums">
              {formatPercent(risk.risk)}
            </span>
            <span className="text-xs text-ink-3 tabular-nums">
              {risk.agreement === null ? 'one answer' : `agreement ${formatNumber(risk.agreement, 2)}`}
            </span>
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
                    <span className="text-ink-2">{warningOf(id)?.says}</span>
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

function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-b border-line p-3 last:border-b-0">
      {title && <h3 className="mb-1.5 text-xs font-medium text-ink-3">{title}</h3>}
      {children}
    </section>
  );
}
