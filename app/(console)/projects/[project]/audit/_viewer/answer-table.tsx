import Link from 'next/link';
import { formatNumber, formatPercent, noValue } from '@/lib/core/format';
import type { AuditAnswer, AuditLabel } from './audit-api';
import { marksOf, valueWords } from './label-words';
import { answerColour } from './layers';

/** Who said what, how far they can be trusted, and how near it comes to the label. */
export function AnswerTable({ slug, label }: { slug: string; label: AuditLabel }) {
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
