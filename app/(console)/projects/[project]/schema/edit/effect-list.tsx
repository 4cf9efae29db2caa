import type { ReactNode } from 'react';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import { formatCount, formatMoney, formatNumber } from '@/lib/core/format';
import type { ShownEffects } from './shown-effects';

/** The answer to "what happens to existing labels", in numbers. */
export function EffectList({ effects }: { effects: ShownEffects }) {
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
