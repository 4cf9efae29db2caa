import { Check, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { cn } from '@/app/_ui/cn';
import { Kbd } from '@/app/_ui/kbd';
import { type AttributeGroup, type DatasetSchema, optionsOf } from '@/lib/core/schema';
import { optionName, ruleText } from './words';

type OptionEvents = {
  onChoose(option: number): void;
  onFocus(option: number, byKey: boolean): void;
  /** Null when the pointer has gone. */
  onPoint(option: number | null): void;
};

type Props = OptionEvents & {
  index: number;
  schema: DatasetSchema;
  group: AttributeGroup;
  chosen: readonly string[];
  /** The option that Tab stops at. */
  stop: number;
  isCurrent: boolean;
  /** Keys while the group is the current one. */
  keys: ReadonlyMap<string, readonly string[]>;
  /** The letter that chooses an option from anywhere in the form. */
  letterOf: (option: number) => string | undefined;
  /** Why the group cannot stay as it is, or why a click was refused. */
  reason: string | null;
};

/** The options of a group. Its rule and what breaks the rule share one line, so that nothing moves. */
export function OptionGroup(props: Props) {
  const { schema, group, chosen, stop, isCurrent, keys, reason } = props;
  const t = useTranslations('form');
  const line = useId();
  return (
    <fieldset
      data-group={props.index}
      aria-describedby={line}
      className={cn('min-w-0 border-s-2 py-0.5 ps-3', isCurrent ? 'border-accent' : 'border-transparent')}
    >
      <legend className="float-start me-2 font-semibold">{group.name}</legend>
      <p
        id={line}
        className={cn(
          'flex min-h-6 items-center gap-1 text-sm',
          reason ? 'font-medium text-bad' : 'text-ink-3',
        )}
      >
        {reason && <TriangleAlert aria-hidden className="size-3.5 shrink-0" />}
        {reason ?? ruleText(t, group)}
      </p>
      <div className="clear-start grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-1 max-lg:grid-cols-[repeat(auto-fill,minmax(8.75rem,1fr))]">
        {optionsOf(group).map((option, index) => (
          <Option
            key={option}
            index={index}
            name={optionName(t, schema, option)}
            hint={props.letterOf(index) ?? keys.get(option)?.[0]}
            showsHint={isCurrent || props.letterOf(index) !== undefined}
            isChosen={chosen.includes(option)}
            isStop={index === stop}
            onChoose={props.onChoose}
            onFocus={props.onFocus}
            onPoint={props.onPoint}
          />
        ))}
      </div>
    </fieldset>
  );
}

type OptionProps = OptionEvents & {
  index: number;
  name: string;
  hint: string | undefined;
  showsHint: boolean;
  isChosen: boolean;
  isStop: boolean;
};

function Option({ index, name, hint, showsHint, isChosen, isStop, ...events }: OptionProps) {
  return (
    <label
      data-option={index}
      onPointerEnter={() => events.onPoint(index)}
      onPointerLeave={() => events.onPoint(null)}
      className={cn(
        'relative flex h-9 items-center max-lg:h-11 gap-1 rounded-md border px-1.5 select-none',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
        isChosen
          ? 'border-accent-fill bg-accent-soft font-medium'
          : 'border-line bg-raised hover:border-line-strong',
      )}
    >
      <input
        type="checkbox"
        checked={isChosen}
        tabIndex={isStop ? 0 : -1}
        aria-keyshortcuts={showsHint ? hint : undefined}
        onChange={() => events.onChoose(index)}
        onFocus={(event) => events.onFocus(index, event.currentTarget.matches(':focus-visible'))}
        // Below the sticky picture, also where the form brings it into view.
        className="absolute inset-0 cursor-pointer appearance-none outline-none max-lg:scroll-mt-[calc(26dvh+9rem)] max-lg:scroll-mb-4"
      />
      <span
        aria-hidden
        className={cn(
          'flex size-4 shrink-0 items-center justify-center rounded-sm border',
          isChosen ? 'border-accent-fill bg-accent-fill text-on-fill' : 'border-line-strong',
        )}
      >
        {isChosen && <Check className="size-3" />}
      </span>
      <span className="line-clamp-2 min-w-0 flex-1 text-sm leading-4 break-words hyphens-auto">
        <bdi>{name}</bdi>
      </span>
      {/* Digits mean the current group only; elsewhere their place is kept. */}
      {hint && (
        <span aria-hidden className={cn('flex pointer-coarse:hidden', !showsHint && 'invisible')}>
          <Kbd keys={hint} />
        </span>
      )}
    </label>
  );
}
