'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Checkbox, FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { toast } from '@/app/_ui/toasts';
import type { Tone } from '@/app/_ui/tone';
import { formatCount, formatMoney, formatNumber } from '@/lib/core/format';
import type { DatasetSchema, EntryChange, SchemaProblem } from '@/lib/core/schema';
import { ChangeTable } from '../change-table';
import { readEffects, save } from './actions';
import type { SchemaDraft, ShownEffects } from './use-schema-draft';

interface ReviewPanelProps {
  slug: string;
  draft: SchemaDraft;
  number: number;
  changes: EntryChange[];
  problems: SchemaProblem[];
  onClose: () => void;
}

/** What saving would do, before it is done. */
export function ReviewPanel({ slug, draft, number, changes, problems, onClose }: ReviewPanelProps) {
  const router = useRouter();
  const [effects, setEffects] = useState<ShownEffects>();
  const [error, setError] = useState<string>();
  const [newer, setNewer] = useState<number>();
  const [askAgain, setAskAgain] = useState(true);
  const [pending, startTransition] = useTransition();
  const isGood = problems.length === 0;
  const text = JSON.stringify(draft.draft);

  useEffect(() => {
    if (!isGood) return setEffects(undefined);
    let isGone = false;
    // A pause, so that not every letter asks the server.
    const timer = setTimeout(async () => {
      const reply = await readEffects(slug, JSON.parse(text));
      if (isGone) return;
      setError(reply.error);
      setEffects(reply.error === undefined ? reply.effects : undefined);
    }, 300);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [slug, text, isGood]);

  const store = () =>
    startTransition(async () => {
      const reply = await save(slug, { from: draft.from, document: draft.draft, askAgain });
      if (reply.error !== undefined) {
        setError(reply.error);
        return setNewer(reply.current);
      }
      draft.reset(reply.number, draft.draft);
      toast.success(`Version ${reply.number} is saved.`);
      // What the browser keeps of the project's pages was thrown away by the save itself.
      router.push(reply.jobId ? `/jobs/${reply.jobId}` : `/projects/${slug}/schema`);
    });
  const takeNewer = () => {
    if (newer === undefined) return;
    draft.rebase(newer);
    setNewer(undefined);
    setError(undefined);
    router.refresh();
  };
  const again = effects?.forms.again ?? 0;
  return (
    <Panel
      title={`Save as version ${(newer ?? Math.max(number, draft.from)) + 1}`}
      description="The difference to the version that holds now, and what it does to what was collected."
      flush
      actions={
        <>
          <Button size="small" onClick={onClose}>
            Close
          </Button>
          <Button
            size="small"
            variant="primary"
            disabled={!isGood || !effects}
            pending={pending}
            onClick={store}
          >
            Save
          </Button>
        </>
      }
    >
      <ChangeTable changes={changes} />
      <div className="flex flex-col gap-3 p-4">
        {!isGood && (
          <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            <p className="font-medium">It cannot be saved yet:</p>
            <ul className="list-disc pl-5">
              {problems.slice(0, 8).map(({ path, message }) => (
                <li key={`${path.join('/')} ${message}`}>
                  {placeOf(draft.draft, path)}: {message}
                </li>
              ))}
            </ul>
            {problems.length > 8 && <p>and {problems.length - 8} more, each beside its field.</p>}
          </div>
        )}
        {isGood && <h3 className="font-semibold">What happens to existing labels</h3>}
        {effects && <EffectList effects={effects} />}
        {effects && (
          <p className="text-ink-2">
            Batches that people are working on end when you save: finished items are kept and paid, the others
            are asked again.
          </p>
        )}
        {isGood && !effects && !error && <p className="text-ink-3">Counting …</p>}
        {effects && again > 0 && (
          <Checkbox
            label={`Ask ${formatCount(again, 'form')} again`}
            hint={`They say too little under the new schema. ${formatMoney(BigInt(effects.forms.amountMicro), effects.currency)} at today's policy; their labels stay current until the new ones are made. Without this they stay as they are.`}
            checked={askAgain}
            onChange={(event) => setAskAgain(event.target.checked)}
          />
        )}
        <FormError>{error}</FormError>
        {newer !== undefined && (
          <p className="flex flex-wrap items-center gap-3">
            <Link
              href={`/projects/${slug}/schema/versions?from=${draft.from}&to=${newer}`}
              target="_blank"
              className="text-accent underline"
            >
              What changed from version {draft.from} to {newer}
            </Link>
            <Button onClick={takeNewer}>Compare my draft with version {newer}</Button>
            <span className="text-ink-2">What you typed is kept.</span>
          </p>
        )}
      </div>
    </Panel>
  );
}

const kinds: Record<string, string> = {
  classes: 'class',
  attributeGroups: 'group',
  attributes: 'attribute',
  parts: 'part',
};

/** A place in the document as a person would name it: "part Crest, classes". */
function placeOf(schema: DatasetSchema, [list = '', index, field]: SchemaProblem['path']): string {
  const kind = kinds[list];
  if (kind === undefined || typeof index !== 'number') return String(list);
  const entry = schema[list as 'parts'][index];
  return `${kind} ${entry?.name || entry?.id}${field === undefined ? '' : `, ${field}`}`;
}

/** The answer to "what happens to existing labels", in numbers. */
function EffectList({ effects }: { effects: ShownEffects }) {
  const { kept, asked, setAside, restored, withoutClass, currency, forms } = effects;
  const labels = setAside.reduce((sum, row) => sum + row.labels, 0);
  const questions = setAside.reduce((sum, row) => sum + row.questions, 0);
  const gold = setAside.reduce((sum, row) => sum + row.gold, 0);
  const made = asked.reduce((sum, row) => sum + row.questions, 0);
  const cost = asked.reduce((sum, row) => sum + BigInt(row.amountMicro), 0n);
  return (
    <ul className="flex flex-col gap-1.5">
      <Line tone="good" word="kept">
        {formatCount(kept, 'label')} of {formatNumber(kept + labels)} stay as they are.
      </Line>
      {made > 0 && (
        <Line tone="busy" word="asked">
          {formatCount(made, 'new question')}, {formatMoney(cost, currency)} at today's policy:{' '}
          {asked
            .map(({ target, stage, questions: n }) => `${target || stage} (${formatNumber(n)})`)
            .join(', ')}
          .
        </Line>
      )}
      {questions > 0 && (
        <Line tone="warn" word="set aside">
          {formatCount(labels, 'label')} of {formatCount(questions, 'question')} stay on record but are not
          current
          {gold > 0 && `, ${formatCount(gold, 'gold item')} not used any more`}: {asWords(setAside)}.
        </Line>
      )}
      {restored > 0 && (
        <Line tone="good" word="back">
          {formatCount(restored, 'label')} that an earlier version set aside are current again.
        </Line>
      )}
      {forms.all > 0 && forms.again === 0 && (
        <Line tone="good" word="forms">
          All {formatCount(forms.all, 'form')} still answer what is asked.
        </Line>
      )}
      {withoutClass > 0 && (
        <Line tone="warn" word="class">
          {formatCount(withoutClass, 'image')} of a class that is gone: nobody is asked about their parts
          until they get another.
        </Line>
      )}
    </ul>
  );
}

/** Each target once, with its classes while these are few. */
function asWords(rows: ShownEffects['setAside']): string {
  return [...new Set(rows.map(({ target }) => target))]
    .map((target) => {
      const own = rows.filter((row) => row.target === target);
      const labels = own.reduce((sum, row) => sum + row.labels, 0);
      const classes = own.map(({ className }) => className ?? 'no class');
      const where = classes.length <= 3 ? ` on ${classes.join(', ')}` : '';
      return `${target}${where} (${formatNumber(labels)})`;
    })
    .join('; ');
}

const Line = ({ tone, word, children }: { tone: Tone; word: string; children: ReactNode }) => (
  <li className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-2">
    <State state={word} tone={tone} />
    <span className="tabular-nums">{children}</span>
  </li>
);
